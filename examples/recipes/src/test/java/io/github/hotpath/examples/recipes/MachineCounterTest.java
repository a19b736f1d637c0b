package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import io.github.hotpath.examples.recipes.MachineCounter.Bounds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MachineCounterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int BATCHES = 50_000;

    private final FakeTicker ticker = new FakeTicker();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong recorded = new AtomicLong();

    @Test
    void last_anySpan_itsBounds() {
        MachineCounter counter = new MachineCounter(MINUTE, ticker::read);
        counter.record(5);
        ticker.advance(Duration.ofSeconds(30));
        counter.record(2);

        assertThat(counter.last(MINUTE)).isEqualTo(new Bounds(7, 7));
        assertThat(counter.last(Duration.ofSeconds(29))).isEqualTo(new Bounds(2, 2));
        ticker.advance(Duration.ofSeconds(31));
        assertThat(counter.last(MINUTE)).isEqualTo(new Bounds(2, 2));
    }

    @Test
    void sum_ofNoneAndOfSeveral_addsUp() {
        assertThat(Bounds.sum(List.of())).isEqualTo(new Bounds(0, 0));
        assertThat(Bounds.sum(List.of(new Bounds(1, 2), new Bounds(30, 50)))).isEqualTo(new Bounds(31, 52));
    }

    /** As it is of a single window: a bound is never below what it bounds for being too large. */
    @Test
    void sum_moreThanALong_theLargestLong() {
        Bounds half = new Bounds(Long.MAX_VALUE / 2, Long.MAX_VALUE - 1);

        assertThat(Bounds.sum(List.of(half, half))).isEqualTo(new Bounds(Long.MAX_VALUE - 1, Long.MAX_VALUE));
        assertThat(Bounds.sum(List.of(half, half, half))).isEqualTo(new Bounds(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** Nothing expires, so the sum is between what had been recorded before the reads and what had begun after them. */
    @Test
    void sum_whileMachinesRecord_isOfWhatWasRecorded() throws InterruptedException, ExecutionException {
        List<MachineCounter> machines = Stream.generate(() -> new MachineCounter(MINUTE, ticker::read))
                .limit(4)
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(machines.size());
        try {
            List<Future<?>> recording = machines.stream()
                    .<Future<?>>map(machine -> threads.submit(() -> record(machine)))
                    .toList();
            while (!recording.stream().allMatch(Future::isDone)) {
                long least = recorded.get();
                Bounds sum = sum(machines);
                assertThat(sum.atMost()).isGreaterThanOrEqualTo(least);
                assertThat(sum.atLeast()).isLessThanOrEqualTo(begun.get());
            }
            for (Future<?> done : recording) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }

        long all = machines.size()
                * IntStream.range(0, BATCHES).mapToLong(i -> 1 + i % 3).sum();
        assertThat(sum(machines)).isEqualTo(new Bounds(all, all));
    }

    private void record(MachineCounter machine) {
        for (int i = 0; i < BATCHES; i++) {
            int events = 1 + i % 3;
            ticker.advance(1);
            begun.addAndGet(events);
            machine.record(events);
            recorded.addAndGet(events);
        }
    }

    private static Bounds sum(List<MachineCounter> machines) {
        return Bounds.sum(machines.stream().map(machine -> machine.last(MINUTE)).toList());
    }
}
