package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What tests look for inside a window: whether its invariants hold, and its state. */
final class Insides {
    private Insides() {}

    /** Returns the stripes, the one that was added last in front. */
    static List<Stripe> stripes(ConcurrentEventWindow window) {
        return Stream.iterate(window.newest, stripe -> stripe != null, stripe -> stripe.next)
                .toList();
    }

    static void check(ConcurrentEventWindow window) {
        stripes(window).forEach(stripe -> stripe.locked(Insides::check));
    }

    static void check(EventWindow window) {
        check(window.log);
        assertThat(window.isStarted() || window.size() == 0)
                .as("a latest time, or no event")
                .isTrue();
        if (window.late != null) {
            check(window.late);
        }
        long latest = window.latest();
        assertThat(window.countWithin(window.intervalNanos(), latest))
                .as("events that have not expired")
                .isEqualTo(window.size());
        assertInOrder(window.toArray());
    }

    private static void check(EventLog log) {
        ArrayDeque<long[]> middle = log.middle == null ? new ArrayDeque<>() : log.middle;
        if (log.first == log.last) {
            assertThat(log.size).isEqualTo(log.tail - log.head);
            assertThat(log.last.length).isLessThanOrEqualTo(Chunks.MAX_LENGTH);
            assertThat(middle).isEmpty();
        } else {
            assertThat(log.size).isEqualTo((middle.size() + 1L) * Chunks.MAX_LENGTH - log.head + log.tail);
            assertThat(Stream.concat(Stream.of(log.first, log.last), middle.stream()))
                    .extracting(chunk -> chunk.length)
                    .containsOnly(Chunks.MAX_LENGTH);
        }
        assertThat(log.head).isBetween(0, log.size == 0 ? log.first.length : log.first.length - 1);
        assertThat(log.tail).isBetween(log.size == 0 ? log.last.length : 1, log.last.length);
        assertThat(log.peak).isGreaterThanOrEqualTo(middle.size());
        assertThat(log.spare == null || log.spare.length == Chunks.MAX_LENGTH)
                .as("a spare of full length")
                .isTrue();
        long[] times = new long[(int) log.size];
        log.copyTo(times, 0);
        assertInOrder(times);
    }

    private static void check(LateEvents late) {
        long size = 0;
        for (LateEvents.Chunk chunk : late.chunks) {
            assertThat(chunk.head).isBetween(0, chunk == late.chunks.get(0) ? chunk.tail - 1 : 0);
            assertThat(chunk.tail).isBetween(chunk.head + 1, chunk.times.length);
            assertThat(chunk.times.length).isLessThanOrEqualTo(Chunks.MAX_LENGTH);
            size += chunk.tail - chunk.head;
        }
        assertThat(late.size).isEqualTo(size).isPositive();
        long[] times = new long[(int) size];
        late.copyTo(times, 0);
        assertInOrder(times);
    }

    private static void assertInOrder(long[] times) {
        for (int i = 1; i < times.length; i++) {
            if (times[i] - times[i - 1] < 0) {
                throw new AssertionError(times[i] + " behind " + times[i - 1]);
            }
        }
    }

    /** Checks a window after so many events out of order. */
    static void check(BoundedEventWindow window, long outOfOrder) {
        ExponentialHistogram histogram = window.histogram;
        long[] times = Arrays.copyOfRange(histogram.times, histogram.first, histogram.end);
        long[] earlier = Arrays.copyOfRange(histogram.earlier, histogram.first, histogram.end);
        long total = histogram.total;
        int last = times.length - 1;
        assertThat(histogram.earlier).hasSameSizeAs(histogram.times);
        assertThat(total - histogram.expired)
                .as("events, if started")
                .isBetween(0L, window.started ? Long.MAX_VALUE : 0);
        if (last < 0) {
            assertThat(histogram.expired).as("events without a boundary").isEqualTo(total);
            return;
        }
        assertThat(earlier[0] - histogram.expired).as("expired ones are older").isNotNegative();
        assertThat(total - earlier[last]).as("the newest bucket has an event").isPositive();
        for (int i = 0; i <= last; i++) {
            boolean isAllowed =
                    !isOlder(times[i], window.latest, window.interval().toNanos());
            if (i < last) {
                long events = earlier[i + 1] - earlier[i];
                long step = times[i + 1] - times[i];
                isAllowed &= step > 0 && events >= 0;
                isAllowed &= events <= 1
                        || step == 1
                        || events - outOfOrder <= window.maxRelativeError() * (total - earlier[i + 1]);
            }
            assertThat(isAllowed)
                    .as("bucket %d of %s, %s", i, window, outOfOrder)
                    .isTrue();
        }
    }

    /** Returns all that later calls depend on. */
    static String state(Object window) {
        if (window instanceof EventWindow exact) {
            try {
                return Windows.FORM.hex(exact);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (window instanceof ConcurrentEventWindow concurrent) {
            return stripes(concurrent).stream()
                    .map(stripe -> state(stripe.window))
                    .toList()
                    .toString();
        }
        BoundedEventWindow bounded = (BoundedEventWindow) window;
        ExponentialHistogram histogram = bounded.histogram;
        return List.of(
                        bounded.started,
                        bounded.latest,
                        Arrays.toString(Arrays.copyOfRange(histogram.times, histogram.first, histogram.end)),
                        Arrays.toString(Arrays.copyOfRange(histogram.earlier, histogram.first, histogram.end)),
                        histogram.total,
                        histogram.expired)
                .toString();
    }
}
