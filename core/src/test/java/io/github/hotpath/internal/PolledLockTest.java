package io.github.hotpath.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hotpath.window.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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

    /** Not volatile: a lock guards it. */
    private int held;

    private static class Lock extends PolledLock {
        private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

        volatile int holder;

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
            return holder;
        }
    }

    /** A lock that is held until a thread has looked at it ten times. */
    private static final class LookedAt extends Lock {
        /** Whether the thread that looked was interrupted, each time. */
        final List<Boolean> interrupted = new ArrayList<>();

        LookedAt() {
            holder = HELD;
        }

        @Override
        protected int holder() {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (interrupted.size() == 10) {
                unlock();
            }
            return super.holder();
        }
    }

    /** An interrupted thread would not park, and take a processor until the lock is free. */
    @Test
    void lock_interruptedThreadWaits_isInterruptedAfterwardsAlone() {
        LookedAt lock = new LookedAt();

        Thread.currentThread().interrupt();
        lock.lock(PolledLock.HELD);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.interrupted.subList(4, 10)).containsOnly(false);
    }

    /** What a thread holds for a while, so that many wait, is taken by one after the other, and by no two at once. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lock_manyThreads_oneAtATimeAndNoneWaitsForEver(boolean areVirtual) throws Exception {
        assumeTrue(!areVirtual || START_VIRTUAL != null, "virtual threads came with JDK 21");
        Lock lock = new Lock();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            threads.add(start(areVirtual, () -> {
                for (int round = 0; round < 500; round++) {
                    if (!lock.tryLock(PolledLock.HELD)) {
                        lock.lock(PolledLock.HELD);
                    }
                    held++;
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
        assertThat(Fields.get(lock, "waiting"))
                .as("a thread that waits no more")
                .isNull();
    }

    /** The one that polls is not the last one to poll. */
    @Test
    void lock_isFree_theNextInTheListPolls() throws Exception {
        Lock lock = new Lock();
        lock.holder = PolledLock.HELD;
        Thread first = start(false, () -> lock.lock(PolledLock.HELD));
        spinUntil(() -> Fields.get(lock, "waiting") != null);
        Object polls = requireNonNull(Fields.get(lock, "waiting"));
        Thread second = start(false, () -> lock.lock(PolledLock.HELD));
        spinUntil(() -> Fields.get(lock, "waiting") != polls);
        Object waits = requireNonNull(Fields.get(lock, "waiting"));
        assertThat(Fields.get(waits, "polls")).isEqualTo(false);
        Fields.set(waits, "number", 1_000_000); // as if so many waited, or the first one would wake all

        lock.unlock();
        spinUntil(() -> !first.isAlive() || !second.isAlive()); // one holds the lock
        Object isPassedOn = Fields.get(waits, "polls");
        Object hasLooked = Fields.get(polls, "isWoken");
        lock.unlock();
        first.join();
        second.join();

        assumeTrue(hasLooked == Boolean.FALSE, "a machine so busy that the second one has looked for itself");
        assertThat(isPassedOn).isEqualTo(true);
        assertThat(Fields.get(lock, "waiting"))
                .as("a thread that waits no more")
                .isNull();
    }

    /** A thread whose stack overflows while it waits lets no other one poll, and yet the others do not wait for ever. */
    @Test
    void lock_firstThatWaitsThrows_othersGetIt() throws Exception {
        Thread first = Thread.currentThread();
        AtomicReference<Thread> other = new AtomicReference<>();
        Lock lock = new Lock() {
            private int looks;

            @Override
            protected int holder() {
                if (Thread.currentThread() == first && ++looks > 4) {
                    other.set(start(false, () -> lock(HELD)));
                    spinUntil(() -> LockSupport.getBlocker(other.get()) == this);
                    throw new StackOverflowError("planted");
                }
                return super.holder();
            }
        };
        lock.holder = PolledLock.HELD;

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> lock.lock(PolledLock.HELD));
        lock.unlock();
        other.get().join();

        assertThat(lock.holder).isEqualTo(PolledLock.HELD);
        assertThat(Fields.get(lock, "waiting"))
                .as("a thread that waits no more")
                .isNull();
    }

    private static void spinUntil(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
            Thread.onSpinWait();
        }
    }

    private static Thread start(boolean isVirtual, Runnable runnable) {
        if (!isVirtual) {
            Thread thread = new Thread(runnable);
            thread.start();
            return thread;
        }
        try {
            return (Thread) requireNonNull(START_VIRTUAL).invoke(null, runnable);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
