package io.github.hotpath.window;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The calls that {@link EventWindow} and {@link ConcurrentEventWindow} share.
 *
 * @param window the window itself
 * @param recordAndCount of an {@link EventWindow}, the same as {@code record}
 * @param toArray of a {@link ConcurrentEventWindow}, of its snapshot
 */
record AnyWindow(
        Object window,
        LongConsumer record,
        LongUnaryOperator recordAndCount,
        LongUnaryOperator count,
        Spanned countSpan,
        LongConsumer trim,
        Supplier<long[]> toArray,
        Runnable clear,
        Runnable checkInvariants) {

    interface Spanned {
        long at(long nanos, Duration span);
    }

    /** Returns how many bytes of the heap are released with the window. */
    long bytes() {
        return Structure.bytes(window);
    }

    static AnyWindow of(boolean concurrent, long interval) {
        return of(concurrent, Duration.ofNanos(interval));
    }

    static AnyWindow of(boolean concurrent, Duration interval) {
        return concurrent ? of(ConcurrentEventWindow.of(interval)) : of(EventWindow.of(interval));
    }

    private static AnyWindow of(EventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::record,
                window::count,
                window::count,
                window::trim,
                window::toArray,
                window::clear,
                window::checkInvariants);
    }

    static AnyWindow of(ConcurrentEventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::recordAndCount,
                window::count,
                window::count,
                window::trim,
                () -> window.snapshot().toArray(),
                window::clear,
                window::checkInvariants);
    }
}
