/**
 * Programs that this library grew out of, one class with a {@code main} each.
 *
 * <p>Start at {@link io.github.hotpath.examples.article.CountEvents}.
 */
package io.github.hotpath.examples.article;
