package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.internal.PolledLock;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link ConcurrentEventWindow} with threads of every kind, and what it leaves behind in them: nothing. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ThreadsTest {
    private static final long ENDLESS = Long.MAX_VALUE / 4;
    private static final long LIMIT = 1_000;

    private final ConcurrentEventWindow window = Windows.concurrentOfNanos(ENDLESS);
    private final AtomicLong admitted = new AtomicLong();

    @Test
    void dropped_thoughItsThreadsLive_isCollected() {
        try (Relay relay = new Relay()) {
            List<WeakReference<?>> parts = partsOfAUsedWindow(relay);

            for (int i = 0; i < 100 && !areCollected(parts); i++) {
                System.gc();
            }

            assertThat(parts).allSatisfy(part -> assertThat(part.get()).isNull());
        }
    }

    /** Its stripes too: a thread-local would hold these. */
    private static List<WeakReference<?>> partsOfAUsedWindow(Relay relay) {
        ConcurrentEventWindow dropped = Windows.concurrentOfNanos(ENDLESS);
        List<WeakReference<?>> parts = new ArrayList<>(List.of(new WeakReference<>(dropped)));
        relay.spread(dropped).forEach(stripe -> parts.add(new WeakReference<>(stripe)));
        for (int thread = 0; thread < Relay.THREADS; thread++) {
            relay.on(thread, () -> {
                dropped.record(1);
                return dropped.tryRecord(1, 100);
            });
        }
        assertThat(dropped.toArray()).hasSize(2 * Relay.THREADS);
        return parts;
    }

    private static boolean areCollected(List<WeakReference<?>> parts) {
        return parts.stream().allMatch(part -> part.get() == null);
    }

    @Test
    void tryRecordAndRecord_fromTenThousandVirtualThreads_loseNothing() throws Exception {
        Optional<Method> start = startVirtualThread();
        assumeTrue(start.isPresent(), "virtual threads came with JDK 21");
        List<Thread> threads = new ArrayList<>();

        for (int i = 0; i < 10_000; i++) {
            threads.add((Thread) start.get().invoke(null, (Runnable) this::tryRecordAndRecord));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted.get()).isBetween(1L, LIMIT);
        assertThat(window.toArray()).hasSize(10_000 + admitted.intValue());
    }

    /** One of two threads that record and then count sees both events, whichever of them comes first. */
    @Test
    void recordAndCount_stripeIsAddedWhileItWaits_countsItsEvents() throws Exception {
        for (int round = 0; round < 100; round++) {
            ConcurrentEventWindow shared = Windows.concurrentOfNanos(ENDLESS);
            shared.record(0); // the first one is always in the first stripe
            long[] counts = new long[2];
            Stripe only = shared.stripe();
            while (!only.tryLock(PolledLock.ALONE)) {} // it may fail spuriously
            Thread other = new Thread(() -> {
                shared.separate(only);
                shared.record(1);
                counts[0] = shared.count(1);
            });
            other.start();
            awaitState(other, Thread.State.TIMED_WAITING);
            Thread waiting = new Thread(() -> counts[1] = shared.recordAndCount(1));
            waiting.start();
            awaitState(waiting, Thread.State.BLOCKED);
            only.unlock();
            other.join();
            waiting.join();

            assertThat(counts[0] + counts[1]).as("round %s", round).isGreaterThanOrEqualTo(5);
        }
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void tryRecordAndRecord_fromTwoHundredThreads_loseNothing() {
        new AtOnce()
                .on(200, () -> {
                    for (int i = 0; i < 50; i++) {
                        tryRecordAndRecord();
                    }
                })
                .run();

        assertThat(admitted.get()).isBetween(1L, LIMIT);
        assertThat(window.toArray()).hasSize(10_000 + admitted.intValue());
    }

    /** In this order, so that the first thread finds the window empty, and is admitted. */
    private void tryRecordAndRecord() {
        if (window.tryRecord(1, (int) LIMIT)) {
            admitted.incrementAndGet();
        }
        window.record(1);
    }

    private static Optional<Method> startVirtualThread() {
        return Stream.of(Thread.class.getMethods())
                .filter(method -> method.getName().equals("startVirtualThread"))
                .findAny();
    }

    /**
     * An interrupt neither ends the wait nor is lost. But it is deferred: a thread with one pending cannot park, and
     * the lock holder may be waiting for its processor, or for its carrier.
     */
    @Test
    void record_interruptedThatWaits_sleepsOnAndIsInterruptedAfterwards() throws Exception {
        Stripe stripe = window.stripe();
        stripe.tryLock(PolledLock.ALL);
        boolean[] interrupted = {false};
        Thread thread = new Thread(() -> {
            window.record(1);
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        thread.start();

        boolean sleeps = isSoon(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        boolean putOff = isSoon(() -> !thread.isInterrupted());
        boolean waits = thread.isAlive();
        stripe.unlock();
        thread.join();

        assertThat(List.of(sleeps, putOff, waits, interrupted[0])).containsOnly(true);
        assertThat(window.toArray()).containsExactly(1);
    }

    /** Each of them saw one stripe too few, before the other had its turn. */
    @Test
    void separate_severalThreadsAtOnce_makesNoMoreThanAllStripes() throws Exception {
        int most = Math.min(2 * Runtime.getRuntime().availableProcessors(), 64);
        assumeTrue(most > 2, "the first call makes two");
        Stripe base = window.stripe();
        for (int stripes = 1; stripes < most - 1; stripes++) {
            window.separate(window.stripe());
        }
        List<Thread> threads = List.of(separating(), separating(), separating());

        base.tryLock(PolledLock.ALL);
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            assertThat(isSoon(() -> WAITING.contains(thread.getState()))).isTrue();
        }
        base.unlock();
        for (Thread thread : threads) {
            thread.join();
        }

        Set<Stripe> stripes = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 2 * most; i++) {
            window.separate(window.stripe());
            stripes.add(window.stripe());
        }
        assertThat(stripes).hasSize(most);
    }

    /** One thread polls, all others block. */
    private static final Set<Thread.State> WAITING = Set.of(Thread.State.TIMED_WAITING, Thread.State.BLOCKED);

    private Thread separating() {
        return new Thread(() -> window.separate(window.stripe()));
    }

    /** Watches for some seconds at most. */
    private static boolean isSoon(BooleanSupplier condition) {
        boolean holds = false;
        for (int looks = 0; looks < 200_000_000 && !holds; looks++) {
            Thread.onSpinWait();
            holds = condition.getAsBoolean();
        }
        return holds;
    }
}
