package io.github.hotpath.window;

import io.github.hotpath.testing.FormTarget;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Any bytes, read as an {@link EventWindow}. */
public final class EventWindowFormTarget {
    /** A byte of input is an event at least, and that takes 8 bytes, in a chunk that may be four times too long. */
    private static final long MEMORY_PER_BYTE = 64;

    public static final FormTarget<EventWindow> TARGET = new FormTarget<>(
            "EventWindow",
            "window/event-window-corpus",
            Windows.FORM,
            MEMORY_PER_BYTE,
            true,
            random -> Windows.ofNanos(random.nextLong() >>> 1 + random.nextInt(63)),
            EventWindowFormTarget::call);

    private EventWindowFormTarget() {}

    private static Object call(EventWindow window, long nanos, SplittableRandom random) {
        Object result = answer(window, nanos, random);
        Insides.check(window);
        return result;
    }

    private static Object answer(EventWindow window, long nanos, SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> window.record(nanos);
            case 1 -> window.count(nanos, Duration.ofNanos(random.nextLong(window.intervalNanos() | 1)));
            case 2 -> {
                window.trim(nanos);
                yield window.count(nanos);
            }
            case 3 ->
                LongStream.of(window.toArray())
                        .map(time -> time - nanos)
                        .boxed()
                        .toList();
            default -> window.toString();
        };
    }
}
