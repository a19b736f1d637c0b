package io.github.hotpath.window;

import io.github.hotpath.internal.PolledLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stripe of a {@link ConcurrentEventWindow}: a window and its lock. */
class Stripe extends PolledLock {
    /*
     * A stripe that is added, its window and the log of that end with padding, so what its records write shares no
     * cache line with an object behind it. In front there is none: the first stripe would have it, too, and has no
     * bytes to spare. Instead the index is a long: HotSpot places longs first, so the holder is 24 bytes from the
     * beginning.
     */

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

    private void acquire() {
        if (!tryLock()) {
            lock();
        }
    }

    /** Returns the later of {@code nanos} and the latest time of this stripe. */
    final long effective(long nanos) {
        acquire();
        try {
            return window.effective(nanos);
        } finally {
            holder = FREE; // a store, here and below: after a stack overflow a call could overflow again
        }
    }

    /** Returns how many events are at most {@code maxAge} old at {@code nanos}, or at the latest time of this stripe. */
    final long count(long maxAge, long nanos) {
        acquire();
        try {
            return window.countWithin(maxAge, window.effective(nanos));
        } finally {
            holder = FREE;
        }
    }

    /** Makes {@code call} with the lock held. */
    final void locked(Consumer<EventWindow> call) {
        acquire();
        try {
            call.accept(window);
        } finally {
            holder = FREE;
        }
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
