/**
 * Exact rate limits over sliding windows: never more than the permits of a limit in any time span of its interval,
 * wherever that begins.
 *
 * <table class="striped">
 * <caption>The classes</caption>
 * <thead><tr><th scope="col">to</th><th scope="col">use</th></tr></thead>
 * <tbody>
 * <tr><th scope="row">limit all calls together</th>
 *     <td>{@link io.github.hotpath.limit.SlidingWindowLimiter}, with one {@link io.github.hotpath.limit.Limit} or
 *     several</td></tr>
 * <tr><th scope="row">limit each client, account or address</th>
 *     <td>{@link io.github.hotpath.limit.KeyedLimiter}, whose {@code forKey} returns the limiter of a key</td></tr>
 * <tr><th scope="row">ask client, tenant and service together, all or nothing</th>
 *     <td>{@code allOf} of {@link io.github.hotpath.limit.Limiter}</td></tr>
 * <tr><th scope="row">tell what is left of each limit, and which one refused</th>
 *     <td>{@code decide} of any limiter: a {@link io.github.hotpath.limit.Decision} with a {@link
 *     io.github.hotpath.limit.Quota} for each limit</td></tr>
 * <tr><th scope="row">use permits later, correct or return them</th>
 *     <td>{@code reserve} of any limiter: a {@link io.github.hotpath.limit.Reservation}</td></tr>
 * <tr><th scope="row">wait for permits in line, on a thread or by a future</th>
 *     <td>{@link io.github.hotpath.limit.BlockingLimiter} in front of any limiter</td></tr>
 * </tbody>
 * </table>
 *
 * <p>The caller passes the time to each call, in nanoseconds of one clock, usually {@link java.lang.System#nanoTime};
 * only a {@code BlockingLimiter} reads a clock itself. Everything here is thread-safe. There is no thread and no timer,
 * and no call but those of a {@code BlockingLimiter} waits for permits.
 */
@NullMarked
package io.github.hotpath.limit;

import org.jspecify.annotations.NullMarked;
