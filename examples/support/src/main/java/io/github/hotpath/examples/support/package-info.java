/** What programs and tests of several examples share: a table, a process, a checker of limits. Nothing to paste. */
package io.github.hotpath.examples.support;
