/** What programs and tests of the examples share: a table, a process, a server, a port. Nothing to paste. */
package io.github.hotpath.examples.support;
