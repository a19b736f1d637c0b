package io.github.hotpath.window;

import static io.github.hotpath.window.Insides.stripes;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.testing.Allocation;
import io.github.hotpath.testing.Memory;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stripes of a {@link ConcurrentEventWindow}: how they are locked, chosen and added, and what they retain. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StripesTest {
    @AutoClose
    private static final Relay RELAY = new Relay();

    private final ConcurrentEventWindow window = Windows.concurrentOfNanos(1L << 60);

    // locks

    static Stream<Arguments> callsOnAll() {
        return Stream.of(
                call("recordAndCount", window -> window.recordAndCount(1)),
                call("count", window -> window.count(1)),
                call("count of a span", window -> window.count(1, Duration.ZERO)),
                call("trim", window -> window.trim(1)),
                call("clear", ConcurrentEventWindow::clear),
                call("snapshot", ConcurrentEventWindow::snapshot),
                call("toString", ConcurrentEventWindow::toString));
    }

    private static Arguments call(String name, Consumer<ConcurrentEventWindow> call) {
        return Arguments.of(name, call);
    }

    /** Whichever stripe it waits for, and whenever, every other one is free. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("callsOnAll")
    void call_waitsForAStripe_holdsNoOther(String name, Consumer<ConcurrentEventWindow> call) throws Exception {
        SplittableRandom random = Seed.random(name);
        RELAY.spread(window);
        AtomicBoolean ended = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!ended.get()) {
                call.accept(window);
            }
        });
        thread.start();
        List<Stripe> held = new ArrayList<>();
        for (int round = 0; round < 30; round++) {
            Stripe taken = stripes(window).get(random.nextInt(stripes(window).size()));
            lock(taken);
            awaitBlocked(thread, taken);
            stripes(window).stream()
                    .filter(stripe -> stripe != taken && stripe.holder != PolledLock.FREE)
                    .forEach(held::add);
            taken.unlock();
        }
        ended.set(true);
        thread.join();

        assertThat(held).as(Seed.hint()).isEmpty();
    }

    /** Else threads that count at each record would have all the stripes that there may be, and read all at each count. */
    @Test
    void contendedRecords_areWorthAStripe_unlessReadsOutweighThem() {
        ConcurrentEventWindow read = ConcurrentEventWindow.of(Duration.ofNanos(10));
        ConcurrentEventWindow recorded = ConcurrentEventWindow.of(Duration.ofNanos(10));
        for (int i = 0; i < 1_000; i++) {
            read.count(0);
            recorded.recordAndCount(0);
            assertThat(read.noteContended() || recorded.noteContended()).isFalse();
        }

        assertThat(Stream.generate(ConcurrentEventWindow.of(Duration.ofNanos(10))::noteContended)
                        .takeWhile(isDemand -> !isDemand))
                .hasSize(ConcurrentEventWindow.ENOUGH - ConcurrentEventWindow.LEAST - 1);
    }

    /** Nor does it wait for one to release the memory of another. */
    @Test
    void record_oneStripeIsFree_doesNotWait() {
        RELAY.spread(window);
        for (Stripe free : withoutFirst()) {
            List<Stripe> others =
                    stripes(window).stream().filter(stripe -> stripe != free).toList();
            others.forEach(StripesTest::lock);

            RELAY.run(1, () -> record(window, 0, 5_000));

            assertThat(free.window.size()).isGreaterThanOrEqualTo(5_000);
            others.forEach(Stripe::unlock);
        }
    }

    /** The stripe that a thread waits for may be that of one that has lost its processor. */
    @Test
    void record_waitsForItsStripeAndAnotherOneIsReleased_usesThat() throws InterruptedException {
        RELAY.spread(window);
        for (Stripe released : withoutFirst()) {
            stripes(window).forEach(StripesTest::lock);
            Thread thread = new Thread(() -> window.record(1));
            thread.start();
            awaitBlocked(thread, null);

            released.unlock();
            thread.join();

            stripes(window).forEach(Stripe::unlock);
        }
        assertThat(window.count(1)).isEqualTo(withoutFirst().size());
    }

    /** A thread that waits for any stripe would not park: the first one, which is used no more, is nearly always free. */
    @Test
    void isAnyFree_onlyTheFirstIs_isFalse() {
        RELAY.spread(window);

        withoutFirst().forEach(StripesTest::lock);

        assertThat(window.isAnyFree()).isFalse();
    }

    /** A thread that is interrupted would not park, and a virtual one would keep its carrier. */
    @Test
    @Timeout(60)
    void record_interruptedWaitsForAnyStripe_parksAndIsInterruptedAfterwards() throws InterruptedException {
        RELAY.spread(window);
        stripes(window).forEach(StripesTest::lock);
        boolean[] wasInterrupted = new boolean[1];
        Thread thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            window.record(1);
            wasInterrupted[0] = Thread.interrupted();
        });
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.isAlive()).as("waits").isTrue();
            Thread.onSpinWait();
        }

        stripes(window).forEach(Stripe::unlock);
        thread.join();

        assertThat(wasInterrupted[0]).isTrue();
    }

    /** Waits until the thread has parked, at the lock of {@code taken} if that is not null. */
    private static void awaitBlocked(Thread thread, Stripe taken) {
        while (taken == null ? LockSupport.getBlocker(thread) == null : LockSupport.getBlocker(thread) != taken) {
            assertThat(thread.isAlive()).as("waits").isTrue();
            Thread.onSpinWait();
        }
    }

    private static void lock(Stripe stripe) {
        while (!stripe.tryLock()) {
            Thread.onSpinWait(); // it may fail spuriously
        }
    }

    private List<Stripe> withoutFirst() {
        return stripes(window).stream().filter(stripe -> stripe.index > 0).toList();
    }

    // which stripe

    @Test
    void record_byThreadsInTurns_usesOneStripe() {
        for (int turn = 0; turn < 100; turn++) {
            long time = turn;
            RELAY.run(turn % Relay.THREADS, () -> window.record(time));
        }

        assertThat(stripes(window)).hasSize(1);
    }

    /** Each stripe makes a read slower. */
    @Test
    void record_contendsAgainAndAgain_addsAStripeNowAndThenUpToEightForEachProcessor() throws InterruptedException {
        int most = Math.min(8 * Runtime.getRuntime().availableProcessors(), 64);
        for (int demand = ConcurrentEventWindow.LEAST; demand < 0; demand++) {
            window.noteContended();
        }
        for (int times = 0; times < 16 * most + 20; times++) {
            assertThat(stripes(window)).hasSize(1 + Math.min(times / 16, most));
            stripes(window).forEach(StripesTest::lock);
            Thread thread = new Thread(() -> window.record(1));
            thread.start();
            while (LockSupport.getBlocker(thread) == null && thread.isAlive()) { // it may find a new stripe
                Thread.onSpinWait();
            }
            stripes(window).forEach(Stripe::unlock);
            thread.join();
        }
    }

    // memory

    /** Each thread records every fourth event. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 40, 5_000})
    void record_steadyInSeveralStripes_allocatesNothing(int n) {
        ConcurrentEventWindow steady = Windows.concurrentOfNanos(n - 1);
        RELAY.spread(steady);
        recordInTurns(steady, 0, 3 * n + 5_000);

        assertThat(recordInTurns(steady, 3 * n + 5_000, 10_000)).isZero();
        assertThat(steady.count(0)).isEqualTo(n);
    }

    /** Returns what the threads have allocated. */
    private static long recordInTurns(ConcurrentEventWindow window, int from, int count) {
        long allocated = 0;
        for (int turn = from; turn < from + count; turn++) {
            long time = turn;
            allocated += RELAY.on(
                    turn % Relay.THREADS,
                    () -> Allocation.of(() -> {
                        if (time % 10 < 4) {
                            window.recordAndCount(time);
                        } else {
                            window.record(time);
                        }
                    }));
        }
        return allocated;
    }

    /** The threads of the other stripes have ended, and nobody reads. */
    @ParameterizedTest(name = "{0} events are in the window")
    @ValueSource(ints = {3, 100, 3_000})
    void record_inOneOfSeveralStripes_releasesTheExpiredEventsOfTheOthers(int n) {
        ConcurrentEventWindow used = Windows.concurrentOfNanos(100_000);
        record(used, 0, 100_000); // in the first stripe
        RELAY.spread(used);
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            RELAY.run(thread, () -> record(used, 0, 100_000));
        }

        RELAY.run(1, () -> {
            for (int i = 1; i <= 10_000; i++) {
                used.record(200_000 + i * (100_000L / n));
            }
        });

        assertThat(Memory.bytes(used))
                .isLessThanOrEqualTo(12L * n + 8_000 + 1_000 * stripes(used).size());
    }

    /** Or a clear, which empties one stripe after another, would leave the latest time of a record meanwhile. */
    @Test
    void record_inOneOfSeveralStripes_startsNoOther() {
        RELAY.spread(window);
        Stripe own = RELAY.on(1, window::stripe);

        for (int i = 0; i < stripes(window).size(); i++) { // one of which is expired by each record that finds no room
            own.window.clear();
            RELAY.run(1, () -> window.record(1));
        }

        assertThat(stripes(window))
                .filteredOn(stripe -> stripe.window.isStarted())
                .containsExactly(own);
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {10, 5_000})
    void trimAndClear_severalStripes_keepNoChunk(int n) {
        for (Consumer<ConcurrentEventWindow> release :
                List.<Consumer<ConcurrentEventWindow>>of(one -> one.trim(1L << 40), ConcurrentEventWindow::clear)) {
            ConcurrentEventWindow released = Windows.concurrentOfNanos(n - 1);
            RELAY.spread(released);
            long before = Memory.bytes(released);
            recordInTurns(released, 0, 2 * n);

            release.accept(released);

            assertThat(released.snapshot().toArray()).isEmpty();
            assertThat(Memory.bytes(released)).isEqualTo(before);
        }
    }

    private static void record(ConcurrentEventWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record(time);
        }
    }
}
