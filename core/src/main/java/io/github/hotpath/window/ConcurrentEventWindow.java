package io.github.hotpath.window;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.Invariants;
import io.github.hotpath.internal.PolledLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A thread-safe sliding-window event counter: an {@link EventWindow} for many threads.
 *
 * <pre>{@code
 * ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofMinutes(1));
 * window.record(System.nanoTime());                      // from any thread
 * long inTheLastMinute = window.count(System.nanoTime());
 * }</pre>
 *
 * <p><b>Thread-safe.</b> Threads record side by side, and a read adds up what they have recorded, as {@link
 * java.util.concurrent.atomic.LongAdder#sum} does. Of the events in the window it counts every one whose record
 * returned before the read began, none whose record began after the read returned, and of those in between some, each
 * at most once. So a thread's own records and reads are in order, and when no thread records meanwhile, a read returns
 * what an {@link EventWindow} would.
 *
 * <p><b>Time.</b> The rules are those of {@link EventWindow}. A read is evaluated at the latest time of all threads if
 * that is later than its own, and this may advance during the read. All times must be within 2<sup>61</sup> ns (73
 * years) of each other.
 *
 * <p><b>Cost.</b> {@link #record} is amortized O(1) and allocates nothing in steady traffic. Threads that contend
 * record in different stripes, each a window with its own lock, up to eight per processor and 64 in all, so records
 * seldom wait for each other. A read locks one stripe after another, and never two at once.
 *
 * <p><b>Memory.</b> An event takes 8 bytes. A window used by one thread at a time takes a few hundred bytes more. Once
 * threads contend, a table of threads takes 1 to 4 KB, and each further stripe, which is never removed, some 700 bytes.
 * Records release the memory of expired events, sooner or later also in stripes in which no thread records any more.
 * {@link #trim} also releases spare memory.
 *
 * <p>An error inside a call, such as an {@link OutOfMemoryError}, leaves no lock held.
 */
public final class ConcurrentEventWindow {
    /*
     * A record may use any stripe, since only a read decides what counts. A read first finds the latest time of all
     * stripes, and then adds up what is in each of their windows at that time, or at the stripe's own latest time if
     * that has advanced beyond it meanwhile: that much the stripe may have evicted. No thread holds two locks, and none
     * that records waits while another stripe is free.
     *
     * No thread may use a stripe any more. So a record that finds its chunk full, once in 8 to 1024 records, also
     * expires the events of another stripe. It advances that one to its own time only: with the latest time, which may
     * be of before a clear(), it would undo that.
     *
     * Each stripe makes reads slower, so one is added only where records contend more often than there are reads. The
     * first stripe, small and without padding, is then used no more.
     */

    /**
     * The most stripes beside the first one: in a crowd, some are held by threads that have lost their processors.
     */
    static final int MAX_STRIPES = Math.min(8 * Runtime.getRuntime().availableProcessors(), 64);

    /** The length of {@link #chosen}, a power of two: so great that two threads that run seldom share an entry. */
    private static final int ENTRIES = 16 * Integer.highestOneBit(MAX_STRIPES);

    /** Entries that are not used, but keep what lies behind the table out of its cache lines. */
    private static final int PADDING = 32;

    /** The demand for a stripe: 16 contended records, which are unlikely by chance. */
    private static final int ENOUGH = 32;

    /**
     * The least demand: so many reads outweigh the records of a crowd that contend at once, because the thread that
     * holds the lock has lost its processor.
     */
    private static final int LEAST = -4096;

    private static final AtomicReferenceFieldUpdater<ConcurrentEventWindow, Stripe> NEWEST =
            AtomicReferenceFieldUpdater.newUpdater(ConcurrentEventWindow.class, Stripe.class, "newest");

    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Stripe[].class);

    // Not lambdas where they are used: one that is first linked when memory is short would fail for ever.
    private static final Stripe.Call EFFECTIVE = (window, nanos, unused) -> window.effective(nanos);
    private static final Stripe.Call COUNT =
            (window, nanos, maxAge) -> window.countWithin(maxAge, window.effective(nanos));
    private static final Stripe.Call LATEST =
            (window, otherwise, unused) -> window.isStarted() ? window.latest() : otherwise;
    private static final Stripe.Call TRIM = (window, nanos, unused) -> {
        window.trim(nanos);
        return 0;
    };
    private static final Stripe.Call CLEAR = (window, unused, unused2) -> {
        window.clear();
        return 0;
    };

    /**
     * The stripe in which each thread records, by the last bits of its id; null until two threads contend. Each record
     * reads this field, so it is the first reference: HotSpot places that in front, as far as possible from the stripe
     * that may lie behind this object. Any stripe found is right, so entries are written without a lock.
     */
    private volatile Stripe @Nullable [] chosen;

    /** The stripe that was added last, from which all others follow. */
    volatile Stripe newest;

    /** What a {@link #snapshot} uses with a lock held: HotSpot creates it at once if it is assigned to a field. */
    private @Nullable Object escape;

    private final long intervalNanos;

    /** Contended records, by two, less the reads. An update may be lost. */
    private long demand;

    /** Never read: see {@link Stripe}. */
    long padding;

    private ConcurrentEventWindow(long intervalNanos) {
        this.intervalNanos = intervalNanos;
        newest = new Stripe(new EventWindow(intervalNanos));
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more; with zero, only events exactly at the time of a read are in the window
     * @return a new, empty window
     * @throws IllegalArgumentException if {@code interval} is negative or exceeds {@link Long#MAX_VALUE} nanoseconds
     */
    public static ConcurrentEventWindow of(Duration interval) {
        return new ConcurrentEventWindow(Arguments.nanos(interval, "interval"));
    }

    /**
     * Records an event at {@code nanos}. An out-of-order event, earlier than the latest time, is inserted if it is
     * still in the window at the latest time, and otherwise does not count. Returns nothing, because counting takes
     * longer than recording: see {@link #recordAndCount}.
     *
     * @param nanos the time of the event
     */
    public void record(long nanos) {
        recordInStripe(nanos);
    }

    /**
     * Records an event at {@code nanos} and returns the number of events in the window at the latest time, this one
     * included if it is in the window then: {@link #record} and {@link #count(long) count}.
     *
     * @param nanos the time of the event
     * @return the count at the latest time
     */
    public long recordAndCount(long nanos) {
        long inStripe = recordInStripe(nanos);
        if (newest.next != null) {
            return count(nanos);
        }
        noteRead();
        return inStripe;
    }

    /** Returns how many events are then in the stripe of the current thread. */
    private long recordInStripe(long nanos) {
        Stripe stripe = stripe();
        if (!stripe.tryLock()) {
            stripe = lockContended(stripe);
        }
        boolean isFull;
        long count;
        try {
            isFull = stripe.window.isChunkFull();
            count = stripe.window.record(nanos);
            stripe.unlock();
        } catch (Throwable e) {
            stripe.holder = PolledLock.FREE; // a store: after a stack overflow a call could overflow again
            throw e;
        }
        if (isFull) {
            expireAnother(stripe, nanos);
        }
        return count;
    }

    /** Returns the stripe in which the current thread records. */
    Stripe stripe() {
        Stripe[] table = chosen;
        return table == null ? newest : (Stripe) ENTRY.getAcquire(table, entry());
    }

    private static int entry() {
        return (int) Thread.currentThread().getId() & ENTRIES - 1;
    }

    /** Locks a stripe for a record that found {@code taken} locked: another one, or if none is free the same. */
    private Stripe lockContended(Stripe taken) {
        Stripe last = newest;
        if (last.index < MAX_STRIPES && (demand += 2) >= ENOUGH) {
            addStripe(last);
        }
        Stripe another = lockAnother(taken, true);
        if (another != null) {
            return another;
        }
        taken.lock();
        return taken;
    }

    /** Locks another stripe than {@code taken}, also for later records of this thread if told so, or none: null. */
    @Nullable
    Stripe lockAnother(Stripe taken, boolean forLater) {
        Stripe[] table = chosen;
        Stripe another = taken;
        for (long left = newest.index; left > 0; left--) {
            another = another.index > 1 ? requireNonNull(another.next) : newest; // the first one is used no more
            if (another.holder == PolledLock.FREE) {
                if (forLater && table != null) {
                    ENTRY.setRelease(table, entry(), another);
                }
                if (another.tryLock()) { // no call after this: it could fail, with the lock held
                    return another;
                }
            }
        }
        return null;
    }

    /** Adds a stripe, unless another thread has just done so after {@code last}. */
    void addStripe(Stripe last) {
        demand = 0;
        Stripe added = new Stripe.Padded(last);
        Stripe[] table = chosen;
        if (table == null) {
            table = new Stripe[ENTRIES + PADDING];
            Arrays.fill(table, added);
        }
        if (NEWEST.compareAndSet(this, last, added)) {
            chosen = table; // a race of the first two stripes assigns one of two tables, or both in turn
        }
    }

    /** Evicts what has expired at {@code nanos} in the next stripe in turn, unless that is in use. */
    private void expireAnother(Stripe stripe, long nanos) {
        Stripe next = stripe.toExpire; // read once: others write it
        Stripe another = next == null ? newest : next;
        stripe.toExpire = another.next;
        if (another != stripe && another.tryLock()) {
            try {
                if (another.window.isStarted()) {
                    another.window.advance(nanos);
                }
                another.unlock();
            } catch (Throwable e) {
                another.holder = PolledLock.FREE;
                throw e;
            }
        }
    }

    /**
     * Returns the number of events in the window at {@code nanos}, or at the latest time if that is later. For each
     * stripe, O(1) if few events have expired since the latest time; otherwise O(n / 1024) for n events in the window.
     *
     * @param nanos the time of the read
     * @return the number of events that are at most the interval old at that time
     */
    public long count(long nanos) {
        return countWithin(intervalNanos, nanos);
    }

    /**
     * Returns the number of events in a window of length {@code span} at {@code nanos}, or at the latest time if that
     * is later. O(n / 1024) for n events in the window.
     *
     * @param nanos the time of the read
     * @param span from zero to the window's interval
     * @return the number of events that are at most {@code span} old at that time
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long count(long nanos, Duration span) {
        return countWithin(Arguments.nanosUpTo(intervalNanos, span, "span"), nanos);
    }

    private long countWithin(long maxAge, long nanos) {
        noteRead();
        Stripe last = newest;
        long at = nanos;
        if (last.next != null) {
            for (Stripe stripe = last; stripe != null; stripe = stripe.next) {
                at = stripe.locked(EFFECTIVE, at, 0);
            }
        }
        long count = 0;
        for (Stripe stripe = last; stripe != null; stripe = stripe.next) {
            count += stripe.locked(COUNT, at, maxAge);
        }
        return count;
    }

    private void noteRead() {
        if (demand > LEAST) {
            demand--;
        }
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events, and releases spare memory, of
     * one stripe after another. Useful for a window that may not be used for some time.
     *
     * @param nanos the current time
     */
    public void trim(long nanos) {
        onEach(TRIM, nanos);
    }

    /**
     * Removes all events and the latest time, and releases their memory, of one stripe after another. An event that is
     * recorded meanwhile may be removed or not.
     */
    public void clear() {
        onEach(CLEAR, 0);
    }

    /** Makes a call that may take long on one stripe after another. */
    private void onEach(Stripe.Call call, long nanos) {
        for (Stripe stripe = newest; stripe != null; stripe = stripe.next) {
            stripe.locked(call, nanos, 0);
        }
    }

    /**
     * Returns a copy of the events that {@link #count(long) count} would count at the latest time, with that time.
     * Later changes of one window do not change the other. O(n), while other threads record.
     *
     * @return a new window
     */
    public EventWindow snapshot() {
        Copy copy = new Copy(new EventWindow(intervalNanos));
        try {
            escape = copy;
            onEach(copy, 0);
        } finally {
            escape = null;
        }
        copy.window.expire();
        return copy.window;
    }

    private static final class Copy implements Stripe.Call {
        final EventWindow window;

        Copy(EventWindow window) {
            this.window = window;
        }

        @Override
        public long on(EventWindow stripe, long unused, long unused2) {
            stripe.addTo(window);
            return 0;
        }
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** Returns a string with the interval and the count at the latest time. */
    @Override
    public String toString() {
        long latest = 0;
        for (Stripe stripe = newest; stripe != null; stripe = stripe.next) {
            latest = stripe.locked(LATEST, latest, 0); // of any stripe: the count is evaluated at the latest of all
        }
        return "ConcurrentEventWindow[interval=" + interval() + ", count=" + count(latest) + "]";
    }

    void checkInvariants() {
        Invariants.check(escape == null, "an object kept after the call that used it");
        for (Stripe stripe = newest; stripe != null; stripe = stripe.next) {
            stripe.locked(
                    (window, unused, unused2) -> {
                        window.checkInvariants();
                        return 0;
                    },
                    0,
                    0);
        }
    }
}
