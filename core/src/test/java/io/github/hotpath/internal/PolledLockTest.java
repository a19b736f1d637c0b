package io.github.hotpath.internal;

import static io.github.hotpath.internal.OneCarrierProgram.awaitParked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class PolledLockTest {
    private static final int ACQUIRED = 1_000_000;

    private final OneCarrierProgram.Lock lock = new OneCarrierProgram.Lock();

    /** Not volatile: the lock guards it. */
    private int held;

    /** What a thread holds for a while, so that many wait, is taken by one after the other, and by no two at once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lock_manyThreads_oneAtATimeAndNoneWaitsForever(boolean areVirtual) throws Exception {
        assumeTrue(!areVirtual || OneCarrierProgram.START_VIRTUAL != null, "virtual threads came with JDK 21");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            threads.add(start(areVirtual, () -> {
                for (int round = 0; round < 500; round++) {
                    if (!lock.tryLock()) {
                        lock.lock();
                    }
                    countIfHeld();
                    if (round % 50 == 0) {
                        Thread.yield(); // the others begin to wait
                    }
                    lock.unlock();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(held).isEqualTo(40 * 500);
        assertThat(lock.holder).isEqualTo(PolledLock.FREE);
    }

    /** One that waits is not woken by the release: it polls. One behind it is parked until it has its turn. */
    @Test
    void lock_isHeld_waitersAcquireItAfterTheRelease() throws Exception {
        lock.holder = PolledLock.HELD;
        Thread first = start(false, this::lockAndUnlock);
        awaitParked(first);
        Thread second = start(false, this::lockAndUnlock);
        awaitParked(second);

        assertThat(held).isZero();
        lock.unlock();
        first.join();
        second.join();

        assertThat(held).isEqualTo(2);
        assertThat(lock.holder).isEqualTo(PolledLock.FREE);
    }

    @Test
    void lock_interruptedThreadWaits_acquiresItAndIsInterruptedAfterwards() throws Exception {
        lock.holder = PolledLock.HELD;
        boolean[] wasInterrupted = new boolean[1];
        Thread waits = start(false, () -> {
            lockAndUnlock();
            wasInterrupted[0] = Thread.interrupted();
        });
        awaitParked(waits);

        waits.interrupt();
        assertThat(waits.isAlive()).isTrue();
        lock.unlock();
        waits.join();

        assertThat(held).isEqualTo(1);
        assertThat(wasInterrupted[0]).isTrue();
    }

    /** What waits leaves its carrier to the thread that holds the lock, which needs it to release, also if interrupted. */
    @Test
    @Timeout(60)
    void lock_interruptedVirtualThreadWaits_holderGetsTheOnlyCarrier(@TempDir Path temp) throws Exception {
        assumeTrue(OneCarrierProgram.START_VIRTUAL != null, "virtual threads came with JDK 21");
        ChildJvm jvm = new ChildJvm(temp, PolledLock.class, PolledLockTest.class);

        List<String> printed = jvm.run(OneCarrierProgram.class, List.of("-Djdk.virtualThreadScheduler.parallelism=1"));

        assertThat(printed).containsExactly("both ended, interrupted: true");
    }

    /** At every depth of the stack, from its end up to where the lock is acquired. */
    @Test
    void lock_stackOverflows_nobodyHoldsTheLock() throws Exception {
        for (int round = 0; round < 10; round++) {
            FutureTask<Integer> failures = new FutureTask<>(this::failures);
            new Thread(null, failures, "small stack", 180_000).start();

            assertThat(failures.get()).isGreaterThan(ACQUIRED);
        }
    }

    /**
     * Calls itself until the stack ends, and on the way back, each time with a little more of the stack left, acquires
     * the lock until that succeeds; returns how often it failed, plus {@link #ACQUIRED} then.
     */
    private int failures() {
        int failures = 0;
        try {
            failures = failures();
        } catch (StackOverflowError e) {
            // here is the end, or the check below needs more
        }
        if (failures >= ACQUIRED) {
            return failures;
        }
        try {
            lock.failures = 2; // as if it was held
            lock.lock();
            lock.holder = PolledLock.FREE;
            return failures + ACQUIRED;
        } catch (StackOverflowError e) {
            if (lock.holder != PolledLock.FREE) {
                throw new AssertionError("nobody holds the lock, and it is not free");
            }
            return failures + 1;
        }
    }

    private void lockAndUnlock() {
        lock.lock();
        countIfHeld();
        lock.unlock();
    }

    private void countIfHeld() {
        held += lock.holder == PolledLock.HELD ? 1 : 0;
    }

    private static Thread start(boolean isVirtual, Runnable runnable) throws ReflectiveOperationException {
        if (isVirtual) {
            return OneCarrierProgram.startVirtual(runnable);
        }
        Thread thread = new Thread(runnable);
        thread.start();
        return thread;
    }
}
