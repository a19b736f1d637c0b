/**
 * Making sure that directories exist, and listing them, at the least cost, on any file system.
 *
 * <p>Start at {@link io.github.hotpath.files.Dirs}.
 */
@NullMarked
package io.github.hotpath.files;

import org.jspecify.annotations.NullMarked;
