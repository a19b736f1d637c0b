package io.github.hotpath.window;

import io.github.hotpath.fuzz.FormTarget;
import io.github.hotpath.internal.CompactBytes;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Any bytes, read as an {@link EventWindow}. Jazzer calls it by its name. */
public final class EventWindowFormTarget {
    static final String CORPUS = "io/github/hotpath/window/event-window-corpus";

    /** A byte of input is an event at least, and that takes 8 bytes, in a chunk that may be four times too long. */
    private static final long MEMORY_PER_BYTE = 64;

    static final FormTarget<EventWindow> TARGET = new FormTarget<>(
            new CompactBytes<>(EventWindow::writeTo, EventWindow::readFrom),
            MEMORY_PER_BYTE,
            EventWindowFormTarget::call);

    private EventWindowFormTarget() {}

    /** Throws an error if something does not hold for {@code bytes}. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        TARGET.check(bytes);
    }

    private static Object call(EventWindow window, long nanos, SplittableRandom random) {
        Object result = answer(window, nanos, random);
        window.checkInvariants();
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
            case 3 -> Arrays.toString(window.toArray());
            default -> window.toString();
        };
    }
}
