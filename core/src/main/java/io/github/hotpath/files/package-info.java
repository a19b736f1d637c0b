/** Ensures that directories exist, and lists them with attributes: see {@link io.github.hotpath.files.Dirs}. */
@NullMarked
package io.github.hotpath.files;

import org.jspecify.annotations.NullMarked;
