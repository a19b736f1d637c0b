package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class PolledLockTest {
    private static final @Nullable Method START_VIRTUAL = startVirtual();

    private static @Nullable Method startVirtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static final class Lock extends PolledLock {
        private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

        volatile int holder;

        @Override
        public boolean tryLock() {
            return HOLDER.weakCompareAndSetAcquire(this, FREE, HELD);
        }

        @Override
        public void unlock() {
            HOLDER.setRelease(this, FREE);
        }

        @Override
        protected int holder() {
            return holder;
        }
    }

    private final Lock lock = new Lock();

    /** Not volatile: the lock guards it. */
    private int held;

    /** What a thread holds for a while, so that many wait, is taken by one after the other, and by no two at once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lock_manyThreads_oneAtATimeAndNoneWaitsForever(boolean areVirtual) throws Exception {
        assumeTrue(!areVirtual || START_VIRTUAL != null, "virtual threads came with JDK 21");
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

    private void lockAndUnlock() {
        lock.lock();
        countIfHeld();
        lock.unlock();
    }

    private void countIfHeld() {
        held += lock.holder == PolledLock.HELD ? 1 : 0;
    }

    /** Spins until a thread has parked, at this lock or at its queue. */
    private static void awaitParked(Thread thread) {
        while (LockSupport.getBlocker(thread) == null) {
            assertThat(thread.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    private static Thread start(boolean isVirtual, Runnable runnable) throws ReflectiveOperationException {
        if (isVirtual && START_VIRTUAL != null) {
            return (Thread) START_VIRTUAL.invoke(null, runnable);
        }
        Thread thread = new Thread(runnable);
        thread.start();
        return thread;
    }
}
