package io.github.hotpath.examples.benchmarks;

import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/** Windows that keep the time of each event, to which times are passed. */
final class Windows {
    private Windows() {}

    /** What is called, and what is kept in memory. */
    record Window(LongConsumer record, LongUnaryOperator count, Object measured) {}

    static Window of(String name, long intervalNanos) {
        Duration interval = Duration.ofNanos(intervalNanos);
        return switch (name) {
            case "EventWindow" -> {
                EventWindow window = EventWindow.of(interval);
                yield new Window(window::record, window::count, window);
            }
            case "ConcurrentEventWindow" -> {
                ConcurrentEventWindow window = ConcurrentEventWindow.of(interval);
                yield new Window(window::record, window::count, window);
            }
            case "ArrayDeque, trimmed" -> {
                ArrayDeque<Long> deque = new ArrayDeque<>();
                LongUnaryOperator count = nanos -> {
                    while (!deque.isEmpty() && nanos - deque.peekFirst() > intervalNanos) {
                        deque.removeFirst();
                    }
                    return deque.size();
                };
                LongConsumer record = nanos -> {
                    deque.addLast(nanos);
                    count.applyAsLong(nanos);
                };
                yield new Window(record, count, deque);
            }
            default -> throw new IllegalArgumentException("name: " + name);
        };
    }

    /** Returns a window of as many events, {@code step} nanoseconds apart from 0 on. */
    static Window filled(String name, int events, long step, long intervalNanos) {
        Window window = of(name, intervalNanos);
        for (int i = 0; i < events; i++) {
            window.record.accept(step * i);
        }
        return window;
    }
}
