/**
 * Ensures that directories exist, and lists them, at the lowest cost, on any file system: see
 * {@link io.github.hotpath.files.Dirs}.
 */
@NullMarked
package io.github.hotpath.files;

import org.jspecify.annotations.NullMarked;
