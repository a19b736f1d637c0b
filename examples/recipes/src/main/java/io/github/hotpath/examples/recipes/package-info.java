/**
 * Small classes to paste, each for one problem: what people build with windows, {@link io.github.hotpath.files.Dirs}
 * and limiters. They may be used for any purpose, without a notice (0BSD). The manual says which files and libraries
 * each of them needs.
 */
package io.github.hotpath.examples.recipes;
