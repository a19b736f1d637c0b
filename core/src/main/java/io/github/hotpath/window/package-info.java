/**
 * Counts of events in sliding windows: how many there were in the last {@code interval}, to the nanosecond.
 *
 * <table class="striped">
 * <caption>The classes</caption>
 * <thead>
 * <tr><th scope="col">class</th><th scope="col">threads</th><th scope="col">count</th><th scope="col">memory</th></tr>
 * </thead>
 * <tbody>
 * <tr><th scope="row">{@link io.github.hotpath.window.EventWindow}</th>
 *     <td>one</td><td>exact, of the interval and every shorter span</td><td>8 bytes per event</td></tr>
 * <tr><th scope="row">{@link io.github.hotpath.window.ConcurrentEventWindow}</th>
 *     <td>many, which record side by side</td><td>exact when no thread records meanwhile; otherwise every event
 *     recorded before the count began, and some of those recorded meanwhile</td><td>8 bytes per event</td></tr>
 * <tr><th scope="row">{@link io.github.hotpath.window.BoundedEventWindow}</th>
 *     <td>one</td><td>a lower and an upper bound, which are never wrong and as close as chosen</td>
 *     <td>40 KB for ten million events at 1%</td></tr>
 * </tbody>
 * </table>
 *
 * <p>All of them have the same rules of time. The caller passes the time to each call, in nanoseconds of one clock,
 * usually {@link java.lang.System#nanoTime}. A window is closed at both ends. Events may come in any order. The latest
 * time passed to {@code record} or {@code trim} never moves back, and a read at an earlier time is evaluated there;
 * reads change nothing. Expired events are evicted by the calls that record: there is no thread and no timer. {@code
 * trim} evicts in a window that is not used for some time, and {@code clear} makes a window as new. Every method throws
 * a {@link java.lang.NullPointerException} if an argument is null.
 *
 * <p>Windows count, and refuse nothing. To limit how often something is done, use {@link
 * io.github.hotpath.limit.SlidingWindowLimiter}. To write a window to a file and read it again, use {@link
 * io.github.hotpath.window.EventWindow#writeTo}, of a {@code ConcurrentEventWindow} on its {@link
 * io.github.hotpath.window.ConcurrentEventWindow#snapshot}.
 */
@NullMarked
package io.github.hotpath.window;

import org.jspecify.annotations.NullMarked;
