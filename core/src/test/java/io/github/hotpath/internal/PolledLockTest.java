package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolledLockTest {
    /** A lock that is free when a thread has looked at it ten times. */
    private static final class Lock extends PolledLock {
        private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

        volatile int holder = ALONE;

        /** Whether the thread that looked was interrupted, each time. */
        final List<Boolean> interrupted = new ArrayList<>();

        @Override
        public boolean tryLock(int as) {
            return HOLDER.compareAndSet(this, FREE, as);
        }

        @Override
        public void unlock() {
            holder = FREE;
        }

        @Override
        protected int holder() {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (interrupted.size() == 10) {
                unlock();
            }
            return holder;
        }
    }

    /** An interrupted thread would not park, and take a processor until the lock is free. */
    @Test
    void lock_interruptedThreadWaits_isInterruptedAfterwardsAlone() {
        Lock lock = new Lock();

        Thread.currentThread().interrupt();
        lock.lock(PolledLock.ALONE);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.interrupted.subList(4, 10)).containsOnly(false);
    }
}
