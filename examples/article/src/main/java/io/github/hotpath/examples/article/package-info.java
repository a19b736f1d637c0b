/**
 * Programs written after an article and after a mail, one class with a {@code main} each.
 *
 * <p>Start at {@link io.github.hotpath.examples.article.CountEvents};
 * {@link io.github.hotpath.examples.article.profile.Profile} shows where its time is spent.
 */
package io.github.hotpath.examples.article;
