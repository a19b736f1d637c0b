package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What reads of a {@link ConcurrentEventWindow} return while threads record: each event in the window whose record
 * returned before the read began, none whose record began after it returned, each at most once.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConcurrentReadsTest {
    private static final int THREADS = 4;
    private static final int EVENTS = 100_000;
    private static final long ENDLESS = 1L << 60;

    /** Each event has its own time. */
    private final AtomicLong clock = new AtomicLong();

    private final List<Recorder> recorders =
            Stream.generate(Recorder::new).limit(THREADS).toList();
    private final AtomicInteger next = new AtomicInteger();

    @ParameterizedTest(name = "interval {0}")
    @ValueSource(longs = {0, 7, 1_000, 50_000, ENDLESS})
    void reads_besideRecords_countWhatTheyMust(long interval) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);

        new AtOnce()
                .on(THREADS, () -> recorders.get(next.getAndIncrement()).record(window, interval))
                .watchedBy(() -> {
                    Before before = new Before(clock.get());
                    before.check(window.count(before.nanos), interval);
                })
                .watchedBy(() -> {
                    Before before = new Before(clock.get() / 2);
                    long span = interval / 3;
                    before.check(window.count(before.nanos, Duration.ofNanos(span)), span);
                })
                .watchedBy(() -> {
                    Before before = new Before(0);
                    long[] times = window.snapshot().toArray();
                    before.check(times.length, interval);
                    for (int i = 1; i < times.length; i++) {
                        assertThat(times[i]).as("an event twice").isGreaterThan(times[i - 1]);
                    }
                })
                .run();

        long all = (long) THREADS * EVENTS;
        assertThat(window.count(clock.get())).isEqualTo(Math.min(interval + 1, all));
        assertThat(window.snapshot().toArray())
                .hasSize((int) Math.min(interval + 1, all))
                .endsWith(all);
    }

    /** Of an event that was recorded before a clear began nothing is left, and of one that began after it all. */
    @Test
    void clear_besideRecords_removesWhatWasThere() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);

        new AtOnce()
                .on(THREADS, () -> recorders.get(next.getAndIncrement()).record(window, null))
                .watchedBy(() -> {
                    int[] returned =
                            recorders.stream().mapToInt(each -> each.returned).toArray();
                    window.clear();
                    int[] begun =
                            recorders.stream().mapToInt(each -> each.begun).toArray();
                    int[] later =
                            recorders.stream().mapToInt(each -> each.returned).toArray();
                    long[] times = window.snapshot().toArray();
                    for (int i = 0; i < THREADS; i++) {
                        long[] mine = recorders.get(i).times;
                        for (int event = Math.max(0, returned[i] - 50); event < returned[i]; event++) {
                            assertThat(Arrays.binarySearch(times, mine[event]))
                                    .as("was cleared")
                                    .isNegative();
                        }
                        for (int event = begun[i]; event < later[i]; event++) {
                            assertThat(Arrays.binarySearch(times, mine[event]))
                                    .as("came later")
                                    .isNotNegative();
                        }
                    }
                })
                .run();
    }

    /** Records events, and says how many it has begun and how many have returned. */
    private final class Recorder {
        final long[] times = new long[EVENTS];
        volatile int begun;
        volatile int returned;

        long begin(AtomicLong clock) {
            long time = clock.incrementAndGet();
            times[begun] = time;
            begun++; // by this thread alone
            return time;
        }

        /** Records, and counts now and then if there is an interval to check the count by. */
        void record(ConcurrentEventWindow window, @Nullable Long interval) {
            Relay.move(window);
            for (int i = 0; i < EVENTS; i++) {
                long time = begin(clock);
                if (interval != null && i % 64 == 0) {
                    Before before = new Before(time);
                    long count = window.recordAndCount(time);
                    returned = i + 1;
                    before.check(count, interval);
                } else {
                    window.record(time);
                    returned = i + 1;
                }
            }
        }
    }

    /** What had been recorded before a read began. */
    private final class Before {
        final long nanos;
        private final int[] returned =
                recorders.stream().mapToInt(each -> each.returned).toArray();
        private final long latest;

        /** Before a read at {@code nanos}. */
        Before(long nanos) {
            this.nanos = nanos;
            latest = IntStream.range(0, THREADS)
                    .mapToLong(i -> returned[i] == 0 ? nanos : recorders.get(i).times[returned[i] - 1])
                    .max()
                    .orElseThrow();
        }

        /**
         * Checks the result of the read, now that it has returned. It was evaluated at {@code latest} at the earliest,
         * and at the latest time of a record that has begun at the latest.
         */
        void check(long count, long span) {
            int[] begun = recorders.stream().mapToInt(each -> each.begun).toArray();
            long latestBegun = Math.max(nanos, clock.get());
            long least = 0;
            long most = 0;
            for (int i = 0; i < THREADS; i++) {
                long[] times = recorders.get(i).times;
                least += within(times, returned[i], latestBegun, span);
                most += within(times, begun[i], Math.max(nanos, latest), span);
            }
            assertThat(count).isBetween(least, most);
        }

        /** Returns how many of the first {@code size} times are at most {@code span} before {@code at}. */
        private long within(long[] times, int size, long at, long span) {
            int first = Arrays.binarySearch(times, 0, size, at - span);
            return size - (first < 0 ? -1 - first : first);
        }
    }
}
