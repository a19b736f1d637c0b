package io.github.hotpath.window;

import io.github.hotpath.testing.Memory;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The calls that the windows share, and the model of {@link EventWindow} has.
 *
 * @param window the window itself
 * @param recordAndCount of an {@link EventWindow}, the same as {@code record}
 * @param count of a {@link BoundedEventWindow}, both bounds, which must be equal
 * @param toArray of a {@link ConcurrentEventWindow}, of its snapshot; null of a {@link BoundedEventWindow}
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

    /** The classes of windows. */
    enum Kind {
        EXACT,
        CONCURRENT,
        BOUNDED;

        AnyWindow ofNanos(long interval) {
            return of(Duration.ofNanos(interval));
        }

        AnyWindow of(Duration interval) {
            return switch (this) {
                case EXACT -> exact(EventWindow.of(interval));
                case CONCURRENT -> concurrent(ConcurrentEventWindow.of(interval));
                case BOUNDED -> bounded(BoundedEventWindow.of(interval, 0.01));
            };
        }
    }

    /** Returns how many bytes of the heap are released with the window. */
    long bytes() {
        return Memory.bytes(window);
    }

    static AnyWindow exact(EventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::record,
                window::count,
                window::count,
                window::trim,
                window::toArray,
                window::clear,
                () -> Insides.check(window));
    }

    static AnyWindow concurrent(ConcurrentEventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                window::recordAndCount,
                window::count,
                window::count,
                window::trim,
                () -> window.snapshot().toArray(),
                window::clear,
                () -> Insides.check(window));
    }

    private static AnyWindow bounded(BoundedEventWindow window) {
        return new AnyWindow(
                window,
                window::record,
                nanos -> {
                    window.record(nanos);
                    return same(window.countAtLeast(nanos), window.countAtMost(nanos));
                },
                nanos -> same(window.countAtLeast(nanos), window.countAtMost(nanos)),
                (nanos, span) -> same(window.countAtLeast(nanos, span), window.countAtMost(nanos, span)),
                window::trim,
                () -> null,
                window::clear,
                () -> Insides.check(window, 0));
    }

    static AnyWindow model(NaiveWindow model) {
        return new AnyWindow(
                model,
                model::record,
                model::record,
                model::count,
                (nanos, span) -> model.count(nanos, span.toNanos()),
                model::trim,
                model::toArray,
                model::clear,
                () -> {});
    }

    private static long same(long atLeast, long atMost) {
        if (atLeast != atMost) {
            throw new AssertionError("from " + atLeast + " to " + atMost);
        }
        return atLeast;
    }
}
