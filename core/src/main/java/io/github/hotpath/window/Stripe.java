package io.github.hotpath.window;

import io.github.hotpath.internal.PolledLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A stripe of a {@link ConcurrentEventWindow}: a window and its lock. */
class Stripe extends PolledLock {
    /*
     * A stripe that is added, its window and the log of that end with padding, so what its records write shares no
     * cache line with an object behind it. In front there is none: the first stripe would have it, too, and has no
     * bytes to spare. Instead the index is a long: HotSpot places longs first, so the holder is 24 bytes from the
     * beginning, far enough from what each record reads in the ConcurrentEventWindow, should that lie in front.
     */

    /** A call with the lock held. */
    interface Call {
        long on(EventWindow window, long nanos, long argument);
    }

    private static final VarHandle HOLDER = holderOf(MethodHandles.lookup());

    /** The number of stripes that were added before this one, the first one included. */
    final long index;

    /** {@link #FREE} or {@link #HELD}. */
    volatile int holder;

    /** To be used with the lock held. */
    final EventWindow window;

    /** The stripe that was added before this one; null if this is the first. */
    final @Nullable Stripe next;

    /** The stripe that a record in this one is to expire next; null if it is the newest. Races do not matter. */
    @Nullable
    Stripe toExpire;

    /** Creates the first stripe. */
    Stripe(EventWindow window) {
        this(window, null, 0);
    }

    private Stripe(EventWindow window, @Nullable Stripe next, long index) {
        this.window = window;
        this.next = next;
        this.index = index;
    }

    @Override
    public final boolean tryLock() {
        return HOLDER.weakCompareAndSetAcquire(this, FREE, HELD);
    }

    @Override
    public final void unlock() {
        HOLDER.setRelease(this, FREE);
    }

    @Override
    protected final int holder() {
        return holder;
    }

    /** Makes {@code call} with the lock held. */
    final long locked(Call call, long nanos, long argument) {
        if (!tryLock()) {
            lock();
        }
        long result;
        try {
            result = call.on(window, nanos, argument);
            unlock();
        } catch (Throwable e) {
            holder = FREE; // a store: after a stack overflow a call could overflow again
            throw e;
        }
        return result;
    }

    /** A stripe whose objects share no cache line with those behind them. */
    static final class Padded extends Stripe {
        /** Two lines of 64 bytes, because processors fetch them in pairs. Never read. */
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        Padded(Stripe next) {
            super(new EventWindow.Padded(next.window.intervalNanos()), next, next.index + 1);
        }
    }
}
