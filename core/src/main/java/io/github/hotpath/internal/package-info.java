/** Code that the packages of this library share. Not exported: it may change in any version. */
@NullMarked
package io.github.hotpath.internal;

import org.jspecify.annotations.NullMarked;
