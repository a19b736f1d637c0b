/**
 * Programs that this library grew out of, one class with a {@code main} each.
 *
 * <p>Start at {@link io.github.hotpath.examples.article.CountEvents};
 * {@link io.github.hotpath.examples.article.Profile} shows what its time goes into.
 */
package io.github.hotpath.examples.article;
