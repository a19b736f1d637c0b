package io.github.hotpath.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that holds a lock waits for another one, and one that is interrupted waits for the first: for a JVM
 * with a single carrier, which the one that holds the lock needs to go on.
 */
final class OneCarrierProgram {
    static final @Nullable Method START_VIRTUAL = startVirtual();

    private OneCarrierProgram() {}

    private static @Nullable Method startVirtual() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    static Thread startVirtual(Runnable runnable) throws ReflectiveOperationException {
        if (START_VIRTUAL == null) {
            throw new IllegalStateException("virtual threads came with JDK 21");
        }
        return (Thread) START_VIRTUAL.invoke(null, runnable);
    }

    /** A lock, and how many attempts to acquire it are still to fail. */
    static final class Lock extends PolledLock {
        private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

        volatile int holder;
        int failures;

        @Override
        public boolean tryLock() {
            if (failures > 0) {
                failures--;
                return false;
            }
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

    /** Spins until a thread has parked, at a lock or at its queue. */
    static void awaitParked(Thread thread) {
        while (LockSupport.getBlocker(thread) == null) {
            if (!thread.isAlive()) {
                throw new AssertionError(thread + " has not waited");
            }
            Thread.onSpinWait();
        }
    }

    public static void main(String[] args) throws Exception {
        Lock first = new Lock();
        Lock second = new Lock();
        boolean[] wasInterrupted = new boolean[1];
        second.holder = PolledLock.HELD;
        Thread holder = startVirtual(() -> {
            first.lock();
            second.lock();
            second.unlock();
            first.unlock();
        });
        awaitParked(holder);
        Thread waits = startVirtual(() -> {
            Thread.currentThread().interrupt();
            first.lock();
            first.unlock();
            wasInterrupted[0] = Thread.interrupted();
        });
        awaitParked(waits);
        second.unlock();
        holder.join();
        waits.join();
        System.out.println("both ended, interrupted: " + wasInterrupted[0]);
    }
}
