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
 */
record AnyWindow(
        Object window,
        LongConsumer record,
        LongUnaryOperator recordAndCount,
        Attempt tryRecord,
        LongUnaryOperator count,
        Search nanosUntilBelow,
        LongConsumer trim,
        Supplier<long[]> toArray,
        Runnable clear,
        Runnable checkInvariants) {

    interface Attempt {
        boolean at(long nanos, int limit);
    }

    interface Search {
        long from(long nanos, int limit);
    }

    /** Returns how many bytes of the heap are released with the window. */
    long bytes() {
        return Structure.bytes(window);
    }

    static AnyWindow of(boolean concurrent, long interval) {
        return concurrent
                ? of(ConcurrentEventWindow.of(Duration.ofNanos(interval)))
                : of(EventWindow.of(Duration.ofNanos(interval)));
    }

    private static AnyWindow of(EventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::record,
                window::tryRecord,
                window::count,
                window::nanosUntilBelow,
                window::trim,
                window::toArray,
                window::clear,
                window::checkInvariants);
    }

    private static AnyWindow of(ConcurrentEventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::recordAndCount,
                window::tryRecord,
                window::count,
                window::nanosUntilBelow,
                window::trim,
                window::toArray,
                window::clear,
                window::checkInvariants);
    }
}
