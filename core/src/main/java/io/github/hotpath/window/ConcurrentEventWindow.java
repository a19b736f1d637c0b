package io.github.hotpath.window;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.PolledLock;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread-safe sliding-window event counter: an {@link EventWindow} for many threads.
 *
 * <pre>{@code
 * ConcurrentEventWindow requests = ConcurrentEventWindow.of(Duration.ofMinutes(1));
 *
 * requests.record(System.nanoTime());                    // any thread
 * long lastMinute = requests.count(System.nanoTime());   // any other
 * }</pre>
 *
 * <p><b>Threads.</b> Threads record side by side, and a read adds up what they have recorded, as {@link
 * java.util.concurrent.atomic.LongAdder#sum} does. Of the events in the window it counts every one whose record
 * returned before the read began, none whose record began after the read returned, and of those in between some, each
 * at most once. So a thread's own records and reads are in order, and when no thread records meanwhile, a read returns
 * what an {@link EventWindow} would.
 *
 * <p><b>Time.</b> The rules are those of {@link EventWindow}, and the latest time is that of all threads. All times
 * must be within 2<sup>61</sup> ns (73 years) of each other.
 *
 * <p><b>Cost.</b> {@link #record} costs what it does in an {@link EventWindow}, and 5 to 8 ns for a lock. Threads that
 * contend, and seldom count, record in different stripes, each a window with its own lock, up to eight per processor and
 * 64 in all. A read locks one stripe after another, and never two at once. An event takes 8 bytes, and a window little
 * more than an {@code EventWindow} until threads contend. Stripes are never removed. Records release the memory of
 * expired events, sooner or later also in stripes in which no thread records any more.
 */
public final class ConcurrentEventWindow {
    /*
     * A record may use any stripe, since only a read decides what counts. A read first finds the latest time of all
     * stripes, and then adds up what is in each of their windows at that time, or at the stripe's own latest time if
     * that has advanced beyond it meanwhile: that much the stripe may have evicted. No thread holds two locks, and none
     * that records waits while another stripe is free.
     *
     * Some stripe may have no thread left. So a record that finds its chunk full, once in 8 to 1024 records, also
     * expires the events of another stripe. It advances that stripe to the time of this record, not to the latest time
     * of the record's own stripe: that may be from before a clear(), which it would undo.
     *
     * Each stripe makes reads slower, so one is added only where records contend more than twice as often as there are
     * reads. The first stripe, small and without padding, is then used no more.
     */

    /**
     * The most stripes beside the first one: in a crowd, some are held by threads that have lost their processors.
     */
    static final int MAX_STRIPES = Math.min(8 * Runtime.getRuntime().availableProcessors(), 64);

    /** The length of {@link #chosen}, a power of two: so great that two threads that run seldom share an entry. */
    private static final int ENTRIES = 16 * Integer.highestOneBit(MAX_STRIPES);

    /** Entries that are not used, but keep what lies behind the table out of its cache lines. */
    private static final int PADDING = 32;

    /** The demand for a stripe: so many contended records, which are unlikely by chance. */
    static final int ENOUGH = 16;

    /**
     * The least demand, and the first: a crowd that counts at each record adds no stripe when all contend at once with a
     * thread that has lost its processor.
     */
    static final int LEAST = -256;

    /**
     * The stripe in which each thread records, by the last bits of its id; null until two threads contend. Any stripe
     * found is right, so entries are read and written in a race.
     */
    private volatile Stripe @Nullable [] chosen;

    /** The stripe that was added last, from which all others follow. */
    volatile Stripe newest;

    private final long intervalNanos;

    /** Contended records since a stripe was added, less two for each read. An update may be lost. */
    private int demand = LEAST;

    /** Creates a window that takes over {@code window}. */
    private ConcurrentEventWindow(EventWindow window) {
        intervalNanos = window.intervalNanos();
        newest = new Stripe(window);
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more
     * @return a new, empty window
     * @throws IllegalArgumentException if {@code interval} is negative or exceeds {@link Long#MAX_VALUE} nanoseconds
     */
    public static ConcurrentEventWindow of(Duration interval) {
        return new ConcurrentEventWindow(EventWindow.of(interval));
    }

    /**
     * Returns a window with the interval, the events and the latest time of {@code window}, such as one that was read
     * from a file. O(n).
     *
     * @param window the window to copy, which no thread may change meanwhile
     * @return a new window
     */
    public static ConcurrentEventWindow of(EventWindow window) {
        ConcurrentEventWindow original = new ConcurrentEventWindow(requireNonNull(window, "window")); // only read
        return new ConcurrentEventWindow(original.snapshot());
    }

    /**
     * Records an event at {@code nanos}. An out-of-order event, earlier than the latest time, is inserted if it is
     * still in the window at the latest time, and otherwise does not count. Counting takes longer than recording, and
     * has a method of its own: {@link #recordAndCount}.
     *
     * @param nanos the time of the event
     */
    public void record(long nanos) {
        recordInStripe(nanos);
    }

    /**
     * Records an event at {@code nanos} and returns the number of events in the window at the latest time: {@link
     * #record} and {@link #count(long) count}.
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

    /** Returns how many events are then in the stripe that was used. */
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
            stripe.holder = PolledLock.FREE;
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
        return table == null ? newest : table[entry()];
    }

    private static int entry() {
        return (int) Thread.currentThread().getId() & ENTRIES - 1;
    }

    /** Locks a stripe for a record that found {@code taken} locked: another one, or if none is free the same. */
    private Stripe lockContended(Stripe taken) {
        Stripe last = newest;
        if (last.index < MAX_STRIPES && noteContended()) {
            addStripe(last);
        }
        if (chosen == null) {
            taken.lock(); // one stripe is a lock like any other
            return taken;
        }
        while (true) {
            Stripe another = lockAnother(taken);
            if (another != null) {
                return another;
            }
            // If it succeeds it must be the last call of this method: a later one could overflow the stack, with the
            // lock held and no handler to release it.
            if (taken.tryLock()) {
                return taken;
            }
            awaitFree();
        }
    }

    /** Waits until a stripe is free, or has been. An interrupt is put aside meanwhile, as by a lock. */
    private void awaitFree() {
        boolean wasInterrupted = false;
        for (long pause = 1_000; !isAnyFree(); pause = Math.min(2 * pause, 1_000_000)) {
            wasInterrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, pause);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isAnyFree() {
        Stripe stripe = newest;
        while (stripe.index > 0 && stripe.holder != PolledLock.FREE) {
            stripe = requireNonNull(stripe.next);
        }
        return stripe.index > 0; // the first one is used no more
    }

    /** Counts a contended record, and returns whether there is demand for a stripe. */
    boolean noteContended() {
        return ++demand >= ENOUGH;
    }

    private void noteRead() {
        if (demand > LEAST) {
            demand -= 2;
        }
    }

    /** Locks another stripe than {@code taken} if one is free, also for later records of this thread; or returns null. */
    @Nullable
    Stripe lockAnother(Stripe taken) {
        Stripe[] table = chosen;
        Stripe another = taken;
        for (long left = newest.index; left > 0 && table != null; left--) {
            another = another.index > 1 ? requireNonNull(another.next) : newest; // the first one is used no more
            if (another.holder == PolledLock.FREE) {
                table[entry()] = another;
                if (another.tryLock()) {
                    return another;
                }
            }
        }
        return null;
    }

    /** Adds a stripe, unless another thread has just done so after {@code last}. */
    synchronized void addStripe(Stripe last) {
        if (newest == last) {
            demand = 0;
            Stripe added = new Stripe.Padded(last);
            if (chosen == null) {
                Stripe[] table = new Stripe[ENTRIES + PADDING];
                Arrays.fill(table, added);
                chosen = table;
            }
            newest = added;
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
            } finally {
                another.holder = PolledLock.FREE;
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
                at = stripe.effective(at);
            }
        }
        long count = 0;
        for (Stripe stripe = last; stripe != null; stripe = stripe.next) {
            count += stripe.count(maxAge, at);
        }
        return count;
    }

    /**
     * Advances the latest time to {@code nanos} if that is later, evicts expired events, and releases spare memory, of
     * one stripe after another. Useful for a window that may not be used for some time.
     *
     * @param nanos the current time
     */
    public void trim(long nanos) {
        onEach(window -> window.trim(nanos));
    }

    /**
     * Removes all events and the latest time, and releases their memory, of one stripe after another. An event that is
     * recorded meanwhile may be removed or not.
     */
    public void clear() {
        onEach(EventWindow::clear);
    }

    private void onEach(Consumer<EventWindow> call) {
        for (Stripe stripe = newest; stripe != null; stripe = stripe.next) {
            stripe.locked(call);
        }
    }

    /**
     * Returns a copy of the events that {@link #count(long) count} would count at the latest time, with that time.
     * O(n), while other threads record.
     *
     * @return a new window
     */
    public EventWindow snapshot() {
        EventWindow copy = new EventWindow(intervalNanos);
        List<long[]> parts = new ArrayList<>();
        onEach(window -> {
            if (window.isStarted()) {
                copy.advance(window.latest());
                parts.add(window.times());
            }
        });
        long size = parts.stream().mapToLong(part -> part.length).sum();
        LongBuffer times = LongBuffer.allocate((int) Math.min(size, Integer.MAX_VALUE)); // too long for any JVM
        parts.forEach(times::put);
        copy.addAll(times.array());
        return copy;
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return Duration.ofNanos(intervalNanos);
    }

    /** Returns a string with the interval and the count at the latest time. */
    @Override
    public String toString() {
        long[] latest = {0}; // of any stripe: the count is evaluated at the latest of all
        onEach(window -> latest[0] = window.isStarted() ? window.latest() : latest[0]);
        return "ConcurrentEventWindow[interval=" + interval() + ", count=" + count(latest[0]) + "]";
    }
}
