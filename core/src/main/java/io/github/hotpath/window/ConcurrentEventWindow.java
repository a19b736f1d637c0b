package io.github.hotpath.window;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An exact counter of the events in a sliding window of time, and a limiter by that count, for many threads: an {@link
 * EventWindow} that all may use at once.
 *
 * <pre>{@code
 * ConcurrentEventWindow window = ConcurrentEventWindow.of(Duration.ofMinutes(1));
 * window.record(System.nanoTime());                      // from any thread
 * long inTheLastMinute = window.count(System.nanoTime());
 * }</pre>
 *
 * <p><b>Thread-safe, and linearizable:</b> every call, from whichever thread, acts as if all calls were made one after
 * the other on a single {@link EventWindow}, each between its beginning and its end. So a reader sees every record that
 * had returned before it began, and never one record without another that had returned before that one began; and
 * {@link #tryRecord} never lets more than its limit into a window, however many threads try.
 *
 * <p><b>Exact</b>, and with the same rules of time as {@link EventWindow}. Read the clock before the call; that another
 * thread read it later and was first does no harm.
 *
 * <p><b>Cost.</b> {@link #record} takes some ten nanoseconds and allocates nothing in steady traffic. Threads that meet
 * in it get parts of the events to themselves, so they seldom wait for each other. Everything else looks at all parts,
 * and keeps records waiting for as long; there are up to two parts for each processor, and 64 at the most. A window
 * that one thread uses at a time has only one, and takes a few hundred bytes. What has expired is given back when the
 * window is read. A part that is still recorded in gives it back by itself, at most an interval later; for one that is
 * not, there is {@link #trim}.
 *
 * <p>Waiting threads spin for some microseconds and then sleep for the shortest time there is; a virtual thread gives
 * up its carrier. There is no order among them.
 */
public final class ConcurrentEventWindow {
    /*
     * The events are spread over stripes, each a log with its window and lock. A record locks one stripe and appends to
     * its log, no more: what has expired stays until the chunk is full or an interval has passed. It may go to any
     * stripe, for whether it is in the window is decided only when somebody asks. Everything else locks all stripes,
     * lets their windows agree on now, the latest of them, and then adds up what they say. From then on that is what
     * one EventWindow would say: an event is in it if and only if it is at most the interval older than the latest
     * time, in whatever order they came.
     *
     * At first there is one stripe. Threads that meet in one, both to record, get others: a table says which, by the
     * thread's number, so nothing is left behind in threads. The first stripe, small since most windows need no
     * other, then gets only what is recorded with all stripes locked; the others are padded.
     *
     * Times are compared by their difference, so "latest" means nothing among times spread over more than 2^63. In one
     * EventWindow that cannot be, since each time is compared with now alone. Here each stripe's now keeps within 2^62
     * of a common origin: a time more than 2^61 away from it (73 years) is recorded with all stripes locked, and the
     * origin moves there. From one check to the next a stripe moves on by 2^50 at the most.
     */

    /** The length of {@link #slots}: a constant, so that a thread's stripe is found without asking for it. */
    private static final int SLOTS = 64;

    /** The most stripes that there are for records: more than can be at work at once, for some threads share a slot. */
    private static final int MAX_STRIPES = Math.min(2 * Runtime.getRuntime().availableProcessors(), SLOTS);

    /** The first stripe. Whoever locks others as well locks this one before them. */
    private final Stripe base;

    /** All stripes, {@link #base} first. Guarded by its lock, until they are {@link #complete}. */
    private Stripe[] stripes;

    /** The stripe for each thread, by its number; null while there is but {@link #base}. */
    private volatile Stripe @Nullable [] slots;

    /** Whether there are as many stripes as there may be. Written last, so that whoever reads yes sees them all. */
    private volatile boolean complete;

    /** No stripe's now is 2^62 away from it, once there is one. Changed with all stripes locked, read with any. */
    private long origin;

    private ConcurrentEventWindow(long intervalNanos) {
        base = new Stripe(intervalNanos);
        stripes = new Stripe[] {base};
    }

    /**
     * Returns an empty window that counts the events of the last {@code interval}.
     *
     * @param interval zero or more: with zero, only events at the very time asked about are in the window
     * @return a new, empty window
     * @throws NullPointerException if {@code interval} is null
     * @throws IllegalArgumentException if {@code interval} is negative or more nanoseconds than a {@code long} holds
     */
    public static ConcurrentEventWindow of(Duration interval) {
        return new ConcurrentEventWindow(Arguments.nanos(interval, "interval"));
    }

    /**
     * Records an event at {@code nanos}. It does not say how many there are, unlike {@link EventWindow#record}: to
     * count at each record is what costs when many threads record.
     *
     * <p>An event earlier than now is counted if it is still in the window as of now, and ignored otherwise. A record
     * waits only for who uses the same part, or looks at all of them.
     *
     * @param nanos when the event happened
     */
    public void record(long nanos) {
        Stripe stripe = stripe();
        if (!stripe.tryLock()) {
            stripe = lockAfter(stripe);
        }
        boolean recorded;
        try {
            recorded = stripe.append(nanos) || recordIn(stripe, nanos);
        } finally {
            stripe.unlock();
        }
        if (!recorded) {
            recordInWhole(nanos);
        }
    }

    /** Returns where the current thread records. */
    Stripe stripe() {
        Stripe[] slots = this.slots;
        return slots == null ? base : slots[slot()];
    }

    private static int slot() {
        return (int) Thread.currentThread().getId() & SLOTS - 1;
    }

    /** Records in a stripe's window; says no, and has recorded nothing, if all stripes have to be locked for that. */
    private boolean recordIn(Stripe stripe, long nanos) {
        stripe.settle();
        if (!stripe.window.isStarted() || !isNear(stripe.window.now()) || !isNear(nanos)) {
            return false;
        }
        stripe.record(nanos);
        return true;
    }

    private boolean isNear(long nanos) {
        return nanos - origin + (1L << 61) >>> 62 == 0;
    }

    private void recordInWhole(long nanos) {
        lock();
        try {
            recordLocked(nanos);
        } finally {
            unlock();
        }
    }

    private void recordLocked(long nanos) {
        base.record(nanos);
        if (!isNear(base.window.now())) {
            agree();
        }
    }

    /** Locks a stripe for a record that found {@code taken} locked. */
    private Stripe lockAfter(Stripe taken) {
        if (taken.holder() == Stripe.RECORD) {
            separate(taken);
        }
        Stripe stripe = stripe();
        stripe.lock(Stripe.RECORD, Stripe.LONG_SPIN);
        return stripe;
    }

    /** Gives the current thread another stripe than {@code taken}: a new one, as long as there may be more. */
    void separate(Stripe taken) {
        if (complete) {
            moveOn(taken);
            return;
        }
        lock();
        try {
            if (complete || stripe() != taken) {
                return; // meanwhile there are enough, or another thread of the same slot has done it
            }
            Stripe[] changed = slots == null ? new Stripe[SLOTS] : slots.clone();
            if (slots == null) {
                Arrays.fill(changed, add());
            }
            changed[slot()] = add();
            slots = changed;
            complete = stripes.length > MAX_STRIPES;
        } finally {
            unlock();
        }
    }

    /** Sends the current thread from {@code taken} to the next stripe. Without a lock: any will do for a record. */
    @SuppressWarnings("NullAway") // complete, so there are slots
    private void moveOn(Stripe taken) {
        int next = Arrays.asList(stripes).indexOf(taken) + 1;
        slots[slot()] = stripes[next < stripes.length ? next : 1];
    }

    /** Adds a stripe, which is locked as all are. */
    private Stripe add() {
        Stripe stripe = new Stripe.Padded(base.window.intervalNanos());
        stripe.lock(Stripe.WHOLE, 1);
        stripe.follow(base);
        stripes = Arrays.copyOf(stripes, stripes.length + 1);
        stripes[stripes.length - 1] = stripe;
        return stripe;
    }

    /**
     * Returns how many events are in the window at {@code nanos}, or as of now if that is later. The cost, for each
     * part, is a step per thousand of the events that are still in, or of those that have gone, if they are fewer.
     *
     * @param nanos the time to count at
     * @return the number of events at most the interval old then
     */
    public long count(long nanos) {
        lock();
        try {
            return count(base.window.asOf(nanos), base.window.intervalNanos());
        } finally {
            unlock();
        }
    }

    /**
     * Returns how many events a window of the length {@code span} would hold at {@code nanos}, or as of now if that is
     * later. The cost, for each part, is a step per thousand of the events in the span, or of the others if they are
     * fewer.
     *
     * @param nanos the time to count at
     * @param span from zero to the window's interval
     * @return the number of events at most {@code span} old then
     * @throws NullPointerException if {@code span} is null
     * @throws IllegalArgumentException if {@code span} is negative or longer than the interval
     */
    public long count(long nanos, Duration span) {
        long spanNanos = Arguments.nanosUpTo(base.window.intervalNanos(), span, "span");
        lock();
        try {
            return count(base.window.asOf(nanos), spanNanos);
        } finally {
            unlock();
        }
    }

    /** Returns how many events of all stripes are within {@code maxAge} as of {@code asOf}. All are locked. */
    private long count(long asOf, long maxAge) {
        long count = 0;
        for (Stripe stripe : stripes) {
            count += stripe.count(asOf, maxAge);
        }
        return count;
    }

    /**
     * Records an event at {@code nanos} if fewer than {@code limit} are in the window, and returns whether it did;
     * otherwise changes nothing. If all events come by this method with one limit, from whichever threads, no stretch
     * of the interval's length, wherever it begins, holds more of them than that. Refused attempts do not count. An
     * attempt earlier than now is judged and recorded as of now.
     *
     * <p>If events are recorded by {@link #record} as well, they count, and may exceed the limit by themselves.
     *
     * @param nanos when the event would happen
     * @param limit at least 1
     * @return whether it was recorded
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public boolean tryRecord(long nanos, int limit) {
        Arguments.checkLimit(limit);
        lock();
        try {
            long asOf = base.window.asOf(nanos);
            if (count(asOf, base.window.intervalNanos()) >= limit) {
                return false;
            }
            recordLocked(asOf);
            return true;
        } finally {
            unlock();
        }
    }

    /**
     * Returns how many nanoseconds after {@code nanos} fewer than {@code limit} events will be in the window if no more
     * are recorded: 0 if it is so already, and {@link Long#MAX_VALUE} if that does not fit a {@code long}. Otherwise,
     * and unless others record meanwhile, a {@link #tryRecord} one nanosecond earlier is refused, and at that time
     * admitted. The cost is that of some sixty counts if there are several parts, and else as in
     * {@link EventWindow#nanosUntilBelow}.
     *
     * @param nanos the time to wait from
     * @param limit at least 1
     * @return the nanoseconds to wait, zero or more
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public long nanosUntilBelow(long nanos, int limit) {
        Arguments.checkLimit(limit);
        lock();
        try {
            EventWindow window = base.window;
            return count(window.asOf(nanos), window.intervalNanos()) < limit
                    ? 0
                    : window.nanosUntilGone(nanos, newest(limit));
        } finally {
            unlock();
        }
    }

    /** Returns the time of the event at {@code rank}, counted from the newest, which is 1. All stripes are locked. */
    private long newest(int rank) {
        if (stripes.length == 1) {
            return base.newest(rank);
        }
        long now = base.window.now();
        long low = 0;
        long high = base.window.intervalNanos();
        while (low < high) { // the least age up to which there are so many, by bisection
            long mid = low + high >>> 1;
            if (count(now, mid) >= rank) {
                high = mid;
            } else {
                low = mid + 1;
            }
        }
        return now - low;
    }

    /**
     * Moves now to {@code nanos}, if that is later, and lets go of the events that have expired and of memory that is
     * kept for use again. For a window that may not be used for some time.
     *
     * @param nanos the time that has come
     */
    public void trim(long nanos) {
        lock();
        try {
            for (Stripe stripe : stripes) {
                stripe.window.trim(nanos);
            }
            agree();
        } finally {
            unlock();
        }
    }

    /** Forgets all events, and now: the window answers as if new. */
    public void clear() {
        lock();
        try {
            for (Stripe stripe : stripes) {
                stripe.window.clear();
            }
        } finally {
            unlock();
        }
    }

    /**
     * Returns the times of the events in the window as of now, oldest first. The cost is a copy of them, for which
     * records wait, and a sort, for which they do not.
     *
     * @return a new array
     * @throws OutOfMemoryError if they are more than an array holds
     */
    public long[] toArray() {
        long[] times;
        long now;
        lock();
        try {
            times = gathered();
            now = base.window.now();
        } finally {
            unlock();
        }
        sort(times, now); // takes milliseconds for a million: nobody should have to wait for that
        return times;
    }

    /** Returns the times of all stripes, one after the other. All are locked. */
    private long[] gathered() {
        long[] times = new long[EventLog.arrayLength(count(base.window.now(), base.window.intervalNanos()))];
        int filled = 0;
        for (Stripe stripe : stripes) {
            stripe.copyTo(times, filled);
            filled += (int) stripe.size();
        }
        return times;
    }

    /** Sorts times, none later than {@code now}, by how long before it they are. */
    private static void sort(long[] times, long now) {
        for (int i = 0; i < times.length; i++) {
            times[i] -= now;
        }
        Arrays.sort(times); // finds the runs that they are, and merges them
        for (int i = 0; i < times.length; i++) {
            times[i] += now;
        }
    }

    /** {@return the length of the window} */
    public Duration interval() {
        return base.window.interval();
    }

    /** Names the interval and the count as of now. */
    @Override
    public String toString() {
        lock();
        try {
            long count = count(base.window.now(), base.window.intervalNanos());
            return "ConcurrentEventWindow[interval=" + interval() + ", count=" + count + "]";
        } finally {
            unlock();
        }
    }

    /** Locks all stripes, and lets their windows agree. */
    private void lock() {
        base.lock(Stripe.WHOLE, Stripe.LONG_SPIN);
        for (int i = 1; i < stripes.length; i++) {
            stripes[i].lock(Stripe.WHOLE, 1); // whoever has it records, and is done in no time
        }
        try {
            agree();
        } catch (Throwable e) { // no memory
            unlock();
            throw e;
        }
    }

    private void unlock() {
        for (int i = stripes.length - 1; i >= 0; i--) { // base last: without its lock the stripes may change
            stripes[i].unlock();
        }
    }

    /** Moves the now of every window to the latest of all. All stripes are locked. */
    private void agree() {
        base.settle();
        for (int i = 1; i < stripes.length; i++) {
            stripes[i].settle();
            base.follow(stripes[i]);
        }
        for (int i = 1; i < stripes.length; i++) {
            stripes[i].follow(base);
        }
        origin = base.window.now();
    }

    /** Throws if what the fields say of themselves does not hold; for tests. */
    void checkInvariants() {
        lock();
        try {
            for (Stripe stripe : stripes) {
                stripe.window.checkInvariants();
            }
        } finally {
            unlock();
        }
    }
}
