package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.testing.Allocation;
import io.github.hotpath.testing.Fields;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.Structure;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stripes of a {@link ConcurrentEventWindow}: how they are locked, chosen and added, and what they retain. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StripesTest {
    private static final long ENDLESS = 1L << 60;

    @AutoClose
    private static final Relay RELAY = new Relay();

    private final ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);

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
    void call_waitsForAStripe_holdsNoOther(String name, Consumer<ConcurrentEventWindow> call)
            throws InterruptedException {
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
        for (int round = 0; round < 200; round++) {
            Stripe taken = stripes().get(random.nextInt(stripes().size()));
            lock(taken);
            awaitWaiting(thread, taken);
            held.addAll(stripes().stream()
                    .filter(stripe -> stripe != taken && stripe.holder != PolledLock.FREE)
                    .toList());
            taken.unlock();
        }
        ended.set(true);
        thread.join();

        assertThat(held).as(Seed.hint()).isEmpty();
    }

    /** Nor does it wait for one to release the memory of another. */
    @Test
    void record_oneStripeIsFree_doesNotWait() {
        RELAY.spread(window);
        for (Stripe free : stripes()) {
            if (free.index == 0) {
                continue; // used no more
            }
            List<Stripe> others =
                    stripes().stream().filter(stripe -> stripe != free).toList();
            others.forEach(StripesTest::lock);

            RELAY.run(1, () -> {
                for (int i = 0; i < 5_000; i++) {
                    window.record(i);
                }
            });

            assertThat(free.window.size()).isGreaterThanOrEqualTo(5_000);
            others.forEach(Stripe::unlock);
        }
    }

    /** What is thrown here is of a log that a test has broken; {@link ErrorsTest} has the errors of the JVM. */
    @Test
    void call_throws_releasesTheLock() {
        RELAY.spread(window);
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            RELAY.run(thread, () -> window.record(1));
        }
        stripes().forEach(stripe -> Fields.set(stripe.window.log, "first", null));
        Stripe own = RELAY.on(1, window::stripe);

        List<Consumer<ConcurrentEventWindow>> calls =
                List.of(one -> one.record(2), one -> one.count(2), ConcurrentEventWindow::snapshot, one -> {
                    for (int i = 0; i < stripes().size(); i++) { // one of which is to be expired by each record
                        own.window.clear();
                        one.record(2);
                    }
                });
        for (Consumer<ConcurrentEventWindow> call : calls) {
            assertThatNullPointerException().isThrownBy(() -> RELAY.run(1, () -> call.accept(window)));
            assertThat(stripes()).allMatch(stripe -> stripe.holder == PolledLock.FREE);
        }
    }

    /** A thread that polls names the lock as what blocks it. */
    private static void awaitWaiting(Thread thread, Stripe taken) {
        while (LockSupport.getBlocker(thread) != taken) {
            assertThat(thread.isAlive()).as("waits").isTrue();
            Thread.onSpinWait();
        }
    }

    private static void lock(Stripe stripe) {
        while (!stripe.tryLock()) {
            Thread.onSpinWait(); // it may fail spuriously
        }
    }

    private List<Stripe> stripes() {
        return stripes(window);
    }

    private static List<Stripe> stripes(ConcurrentEventWindow window) {
        return Stream.iterate(window.newest, stripe -> stripe != null, stripe -> stripe.next)
                .toList();
    }

    // which stripe

    @Test
    void record_byThreadsInTurns_usesOneStripe() {
        for (int turn = 0; turn < 100; turn++) {
            long time = turn;
            RELAY.run(turn % Relay.THREADS, () -> window.record(time));
        }

        assertThat(stripes()).hasSize(1);
    }

    /** Each stripe makes a read slower. Reads count beforehand, since a crowd contends all at once. */
    @ParameterizedTest(name = "{0} reads")
    @CsvSource({"0, 16", "40, 36"})
    void record_hasContendedOftenEnough_addsAStripe(int reads, int enough) throws InterruptedException {
        for (int i = 0; i < reads; i++) {
            window.count(1);
        }
        for (int times = 1; times <= enough; times++) {
            assertThat(stripes()).hasSize(1);
            contend();
        }

        assertThat(stripes()).hasSize(2);
        assertThat(window.count(1)).isEqualTo(enough);
    }

    @Test
    void record_contendsForEightStripesOfEachProcessor_addsNoMore() throws InterruptedException {
        while (window.newest.index < Math.min(8 * Runtime.getRuntime().availableProcessors(), 64)) {
            window.addStripe(window.newest);
        }
        int most = stripes().size();
        for (int times = 1; times <= 20; times++) {
            contend();
        }

        assertThat(stripes()).hasSize(most);
    }

    /** Lets a record wait for other ones, in every stripe. */
    private void contend() throws InterruptedException {
        List<Stripe> taken = stripes();
        taken.forEach(StripesTest::lock);
        Thread thread = new Thread(() -> window.record(1));
        thread.start();
        while (LockSupport.getBlocker(thread) == null && thread.isAlive()) { // it may find a new stripe
            Thread.onSpinWait();
        }
        taken.forEach(Stripe::unlock);
        thread.join();
    }

    @Test
    void move_againAndAgain_usesEachStripeButTheFirst() {
        while (window.newest.index < ConcurrentEventWindow.MAX_STRIPES) {
            window.addStripe(window.newest);
        }
        List<Stripe> used = new ArrayList<>();

        for (int i = 0; i < ConcurrentEventWindow.MAX_STRIPES; i++) {
            Relay.move(window);
            used.add(window.stripe());
        }

        assertThat(used)
                .doesNotHaveDuplicates()
                .hasSize(ConcurrentEventWindow.MAX_STRIPES)
                .noneMatch(stripe -> stripe.index == 0);
    }

    // threads

    @Test
    void record_fromTenThousandVirtualThreads_losesNothing() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with JDK 21");
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();

        for (int i = 0; i < 10_000; i++) {
            threads.add((Thread) start.invoke(null, (Runnable) () -> window.recordAndCount(1)));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(window.count(1)).isEqualTo(10_000);
    }

    /** Its stripes too: a thread-local would hold these. */
    @Test
    void dropped_thoughItsThreadsLive_isCollected() {
        List<WeakReference<?>> parts = partsOfAUsedWindow();

        for (int i = 0; i < 100 && parts.stream().anyMatch(part -> part.get() != null); i++) {
            System.gc();
        }

        assertThat(parts).allMatch(part -> part.get() == null);
    }

    private static List<WeakReference<?>> partsOfAUsedWindow() {
        ConcurrentEventWindow dropped = Windows.concurrentOfNanos(ENDLESS);
        RELAY.spread(dropped);
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            RELAY.run(thread, () -> dropped.recordAndCount(1));
        }
        List<WeakReference<?>> parts = new ArrayList<>(List.of(new WeakReference<>(dropped)));
        stripes(dropped).forEach(stripe -> parts.add(new WeakReference<>(stripe)));
        return parts;
    }

    // memory

    /** Each thread records every fourth event. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {1, 3, 40, 400, 5_000})
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

    /** Room for 32 stays, or uneven traffic would allocate at each record. */
    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {4, 8, 15})
    void record_fewByOneThreadAtATime_keepsAtMost450Bytes(int n) {
        ConcurrentEventWindow few = Windows.concurrentOfNanos(n - 1);

        for (int turn = 0; turn < 100; turn++) {
            long from = 1_000 * turn;
            RELAY.run(turn % Relay.THREADS, () -> record(few, from, 1_000));
        }

        assertThat(few.snapshot().toArray()).hasSize(n);
        assertThat(Structure.bytes(few)).isLessThanOrEqualTo(450);
    }

    @Test
    void stripe_added_takes700Bytes() {
        Relay.move(window);
        long before = Structure.bytes(window);
        window.addStripe(window.newest);

        assertThat(Structure.bytes(window) - before).isBetween(500L, 700L);
    }

    /** The threads of the other stripes have ended, and nobody reads. */
    @ParameterizedTest(name = "{0} events are in the window")
    @ValueSource(ints = {3, 100, 3_000})
    void record_inOneOfSeveralStripes_releasesTheExpiredEventsOfTheOthers(int n) {
        ConcurrentEventWindow used = Windows.concurrentOfNanos(100_000);
        used.record(0); // in the first stripe
        record(used, 0, 100_000);
        RELAY.spread(used);
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            RELAY.run(thread, () -> record(used, 0, 100_000));
        }

        RELAY.run(1, () -> {
            for (int i = 1; i <= 10_000; i++) {
                used.record(200_000 + i * (100_000L / n));
            }
        });

        assertThat(Structure.bytes(used))
                .isLessThanOrEqualTo(12L * n + 8_000 + 1_000 * stripes(used).size());
    }

    /** Or a clear, which empties one stripe after another, would leave the latest time of a record meanwhile. */
    @Test
    void record_inOneOfSeveralStripes_startsNoOther() {
        RELAY.spread(window);
        Stripe own = RELAY.on(1, window::stripe);

        for (int i = 0; i < stripes().size(); i++) { // one of which is expired by each record that finds no room
            own.window.clear();
            RELAY.run(1, () -> window.record(1));
        }

        assertThat(stripes())
                .filteredOn(stripe -> stripe.window.isStarted())
                .singleElement()
                .isSameAs(own);
    }

    @ParameterizedTest(name = "{0} events")
    @ValueSource(ints = {10, 5_000})
    void trimAndClear_severalStripes_keepNoChunk(int n) {
        for (Consumer<ConcurrentEventWindow> release :
                List.<Consumer<ConcurrentEventWindow>>of(one -> one.trim(1L << 40), ConcurrentEventWindow::clear)) {
            ConcurrentEventWindow released = Windows.concurrentOfNanos(n - 1);
            RELAY.spread(released);
            long before = Structure.bytes(released);
            recordInTurns(released, 0, 2 * n);

            release.accept(released);

            assertThat(released.snapshot().toArray()).isEmpty();
            assertThat(Structure.bytes(released)).isEqualTo(before);
        }
    }

    private static void record(ConcurrentEventWindow window, long from, long count) {
        for (long time = from; time < from + count; time++) {
            window.record(time);
        }
    }

    // snapshot

    @ParameterizedTest(name = "of several stripes: {0}")
    @ValueSource(booleans = {false, true})
    void snapshot_isAWindowOfItsOwn(boolean several) {
        if (several) {
            RELAY.spread(window);
        }
        recordInTurns(window, 0, 5_000);

        EventWindow snapshot = window.snapshot();
        snapshot.record(6_000);
        window.record(5_000);
        snapshot.record(4_700); // moves others, across the last two chunks
        window.record(4_600);

        assertThat(snapshot.interval()).isEqualTo(window.interval());
        assertThat(snapshot.toArray()).isEqualTo(withThese(4_700, 6_000));
        assertThat(window.snapshot().toArray()).isEqualTo(withThese(4_600, 5_000));
    }

    private static long[] withThese(long... more) {
        return LongStream.concat(LongStream.range(0, 5_000), LongStream.of(more))
                .sorted()
                .toArray();
    }

    @Test
    void snapshot_new_hasNoLatestTime() {
        RELAY.spread(window);

        EventWindow snapshot = window.snapshot();

        assertThat(Structure.describe(snapshot)).isEqualTo(Structure.describe(Windows.ofNanos(ENDLESS)));
    }

    @Test
    void snapshot_afterATrim_hasItsTime() {
        RELAY.spread(window);
        window.trim(5);

        assertThat(window.snapshot().record(4 - ENDLESS)).isZero();
        assertThat(window.snapshot().record(5 - ENDLESS)).isEqualTo(1);
    }
}
