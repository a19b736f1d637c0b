/** Limits in front of a server. The README says which files to copy. */
@NullMarked
package io.github.hotpath.examples.web;

import org.jspecify.annotations.NullMarked;
