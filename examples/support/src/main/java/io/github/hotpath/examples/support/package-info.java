/** What programs and tests of the examples share: a table, a process, a port, a checker of limits. Nothing to paste. */
package io.github.hotpath.examples.support;
