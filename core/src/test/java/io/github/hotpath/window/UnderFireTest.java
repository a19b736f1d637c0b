package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A {@link ConcurrentEventWindow} that many threads use at once: nothing is lost, and no read observes an impossible
 * state.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UnderFireTest {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void record_aMillionFromEightThreads_losesNothing() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);
        long[][] times = new long[8][125_000];
        AtomicInteger next = new AtomicInteger();
        AtomicLong begun = new AtomicLong();
        AtomicLong returned = new AtomicLong();

        new AtOnce()
                .on(8, () -> {
                    long[] mine = times[next.getAndIncrement()];
                    for (int i = 0; i < mine.length; i++) {
                        // Like a clock: all threads have about the same time, and some use it late.
                        mine[i] = i % 64 == 0 ? clock.incrementAndGet() : clock.get();
                        begun.incrementAndGet();
                        window.record(mine[i]);
                        returned.incrementAndGet();
                    }
                })
                .watchedBy(() -> {
                    long least = returned.get();
                    long count = window.count(clock.get());
                    assertThat(count).isBetween(least, begun.get());
                })
                .watchedBy(() -> {
                    long least = returned.get();
                    long count = window.toArray().length;
                    long again = window.count(clock.get());
                    assertThat(count).isBetween(least, begun.get());
                    assertThat(again).isGreaterThanOrEqualTo(count); // a later read observes no earlier state
                })
                .run();

        assertThat(window.count(clock.get())).isEqualTo(1_000_000);
        assertThat(window.toArray())
                .isEqualTo(
                        Stream.of(times).flatMapToLong(Arrays::stream).sorted().toArray());
    }

    /** Each event is recorded, by the next thread, when the one before it has been. */
    @Test
    void toArray_whileEventsFollowOneAnother_hasNoGap() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);
        int threads = 4;
        Semaphore[] turns =
                IntStream.range(0, threads).mapToObj(i -> new Semaphore(0)).toArray(Semaphore[]::new);
        AtomicInteger next = new AtomicInteger();
        AtomicLong recorded = new AtomicLong();
        turns[0].release();

        new AtOnce()
                .on(threads, () -> {
                    window.separate(window.stripe());
                    int thread = next.getAndIncrement();
                    for (int event = thread; event < 50_000; event += threads) {
                        turns[thread].acquireUninterruptibly();
                        window.record(event);
                        recorded.incrementAndGet();
                        turns[(thread + 1) % threads].release();
                    }
                })
                .watchedBy(() -> {
                    long least = recorded.get();
                    long[] events = window.toArray();
                    assertThat(events).hasSizeGreaterThanOrEqualTo((int) least);
                    assertThat(events)
                            .isEqualTo(LongStream.range(0, events.length).toArray());
                })
                .run();

        assertThat(window.toArray()).hasSize(50_000);
    }

    /** In thousands of windows, for each has few stripes to add. */
    @Test
    void record_whileStripesAreAdded_losesNothing() {
        List<ConcurrentEventWindow> windows = Stream.generate(() -> Windows.concurrentOfNanos(ENDLESS))
                .limit(5_000)
                .toList();
        Phaser together = new Phaser(4);

        new AtOnce()
                .on(4, () -> {
                    try {
                        for (ConcurrentEventWindow window : windows) {
                            together.arriveAndAwaitAdvance();
                            for (int i = 0; i < 3; i++) {
                                window.separate(window.stripe());
                                window.record(1);
                            }
                        }
                    } finally {
                        together.arriveAndDeregister();
                    }
                })
                .run();

        assertThat(windows).allSatisfy(window -> assertThat(window.toArray()).hasSize(12));
    }

    @ParameterizedTest(name = "interval {0}")
    @ValueSource(longs = {0, 10, 1_000})
    void tryRecord_fromFourThreads_neverAdmitsMoreThanTheLimit(long interval) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);
        int limit = 5;
        AtomicLong admitted = new AtomicLong();
        AtomicInteger next = new AtomicInteger();

        new AtOnce()
                .on(4, () -> {
                    SplittableRandom random = Seed.random("fire " + interval + " " + next.getAndIncrement());
                    for (int i = 0; i < 300_000; i++) {
                        long read = i % 8 == 0 ? clock.incrementAndGet() : clock.get();
                        long stale = random.nextInt(4) == 0 ? random.nextLong(2 * interval + 2) : 0;
                        if (window.tryRecord(read - stale, limit)) {
                            admitted.incrementAndGet();
                        }
                    }
                })
                .watchedBy(() -> assertThat(window.count(clock.get())).isLessThanOrEqualTo(limit))
                .watchedBy(() -> {
                    window.trim(clock.get());
                    assertThat(window.toArray()).hasSizeLessThanOrEqualTo(limit);
                })
                .run();

        // Only the first stamp may be stale, by at most twice the interval and a tick; no later one is before now.
        long windows = (clock.get() + 2 * interval + 1) / (interval + 1) + 1;
        assertThat(admitted.get()).isBetween((long) limit, limit * windows);
    }

    @Test
    void tryRecord_fromManyThreadsAndNothingExpires_admitsTheLimit() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);
        AtomicLong admitted = new AtomicLong();

        new AtOnce()
                .on(8, () -> {
                    for (int i = 0; i < 100_000; i++) {
                        if (window.tryRecord(clock.incrementAndGet(), 500_000)) {
                            admitted.incrementAndGet();
                        }
                    }
                })
                .run();

        assertThat(admitted.get()).isEqualTo(500_000);
        assertThat(window.toArray()).hasSize(500_000);
    }

    /** Records count, in whichever stripe they are. */
    @Test
    void tryRecord_whileOthersRecord_admitsOnlyBelowTheLimit() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);
        AtomicLong recorded = new AtomicLong();
        AtomicLong admitted = new AtomicLong();
        int limit = 200_000;

        new AtOnce()
                .on(2, () -> {
                    window.separate(window.stripe());
                    for (int i = 0; i < 200_000; i++) {
                        window.record(clock.get());
                        recorded.incrementAndGet();
                    }
                })
                .on(2, () -> {
                    for (int i = 0; i < 200_000; i++) {
                        long least = recorded.get() + admitted.get();
                        if (window.tryRecord(clock.incrementAndGet(), limit)) {
                            admitted.incrementAndGet();
                            assertThat(least).isLessThan(limit);
                        }
                    }
                })
                .run();

        assertThat(window.count(clock.get())).isEqualTo(400_000 + admitted.get());
    }

    @ParameterizedTest(name = "interval {0}")
    @ValueSource(longs = {0, 7, 1_000, 20_000})
    void record_ofEachTickOnce_keepsOneForEachTickOfTheWindow(long interval) {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);

        new AtOnce()
                .on(4, () -> {
                    for (int i = 0; i < 250_000; i++) {
                        window.record(clock.incrementAndGet());
                    }
                })
                .watchedBy(() -> assertThat(window.count(clock.get())).isLessThanOrEqualTo(interval + 1))
                .watchedBy(() -> assertThat(window.toArray().length).isLessThanOrEqualTo((int) interval + 1))
                .run();

        assertThat(window.count(clock.get())).isEqualTo(interval + 1);
        assertThat(window.toArray())
                .isEqualTo(
                        LongStream.rangeClosed(1_000_000 - interval, 1_000_000).toArray());
    }
}
