package io.github.hotpath.window;

import java.util.Arrays;

/**
 * Random calls on a window, each of which may throw an error; and an account of what the window must hold afterwards,
 * and of what it may hold. For one thread at a time.
 *
 * <p>Times are offsets from the start of the clock, so that they can be compared as numbers, for any start.
 */
final class ErrorCalls extends ErrorSource {
    /*
     * An error may be thrown at any call, and where memory runs out at any allocation. So make() calls nothing but the
     * window, in as few frames as possible, and allocates nothing; and an event is "pending" from before the call that
     * records it until after. An event that is pending when the next one begins is one whose call has thrown: it is in
     * the window or not, but nothing else.
     */

    /** The time from one event to the next. */
    static final long STEP = 10;

    /** More calls than throw in a round. */
    private static final int THROWN = 1 << 12;

    /** What is recorded at once, to fill more than a chunk. */
    private static final int BURST = 1_100;

    /** What the calls are like. Each but {@code interval} is a share of 16. */
    record Mix(long interval, int late, int bursts, int jumps, boolean shared) {}

    final AnyWindow window;
    final long start;
    final Mix mix;

    /** The times of the events that have been recorded since the account began, or were in the window then. */
    private final long[] sure;

    private int sureCount;

    /** The times of the events that may have been recorded, or not, because the call has thrown. */
    private final long[] thrown;

    private int thrownCount;

    /** The times of the trims that have thrown. */
    private final long[] thrownTrims;

    private int thrownTrimCount;

    /** The latest time of a call that has returned. */
    private long latest;

    /** The latest time of any call. */
    private long clock;

    private long pending;
    private boolean pendingEvent;
    private boolean pendingTrim;

    /** Creates an account with {@code room} for as many events; there are no calls of {@link #make} beyond. */
    ErrorCalls(AnyWindow window, long start, Mix mix, long seed, int room) {
        super(seed);
        this.window = window;
        this.start = start;
        this.mix = mix;
        this.sure = new long[room];
        this.thrown = new long[THROWN];
        this.thrownTrims = new long[THROWN];
    }

    /** Begins a new account: these events are in the window, no others, and its latest time is {@code now}. */
    void restart(long[] held, long now) {
        System.arraycopy(held, 0, sure, 0, held.length);
        sureCount = held.length;
        thrownCount = 0;
        thrownTrimCount = 0;
        pendingEvent = false;
        pendingTrim = false;
        latest = now;
        clock = now;
    }

    long clock() {
        return clock;
    }

    /** Records {@code events} events, one after the other. */
    void fill(int events) {
        for (int i = 0; i < events; i++) {
            record(clock + STEP);
        }
    }

    @Override
    public boolean hasRoom() {
        return sureCount < sure.length - 2 * BURST;
    }

    /** Makes one random call, or a burst of records. */
    @Override
    public void make() {
        if (!hasRoom()) {
            return;
        }
        long bits = randomBits();
        int kind = (int) (bits >>> 60);
        long some = bits >>> 8 & 1023;
        if (kind < mix.late) {
            record(clock - some * (mix.interval / 4 * 3) / 1024);
        } else if (kind < mix.late + mix.bursts) {
            for (int i = 0; i < BURST; i++) {
                record(clock + STEP);
            }
        } else if (kind < mix.late + mix.bursts + mix.jumps) {
            record(clock + mix.interval / 2 + some * mix.interval / 1024);
        } else {
            makeOther((int) (bits >>> 40 & 7), some);
        }
    }

    private void makeOther(int kind, long some) {
        switch (kind) {
            case 0, 1 -> record(clock + STEP);
            case 2 -> window.count().applyAsLong(start + clock + some);
            case 3 -> window.count().applyAsLong(start + clock + some * mix.interval / 1024);
            case 4, 5 -> trim(clock + STEP);
            case 6 -> window.toArray().get();
            default -> recordAndCount(clock + STEP - some / 512 * 3 * STEP); // half of them out of order
        }
    }

    private void record(long time) {
        settlePending();
        begin(time);
        pendingEvent = true;
        window.record().accept(start + time);
        pendingEvent = false;
        sure[sureCount++] = time;
        if (time > latest) { // a call of Math.max might throw
            latest = time;
        }
    }

    private void recordAndCount(long time) {
        settlePending();
        begin(time);
        pendingEvent = true;
        long count = window.recordAndCount().applyAsLong(start + time);
        pendingEvent = false;
        sure[sureCount++] = time;
        if (time > latest) {
            latest = time;
        }
        if (!mix.shared && count != window.count().applyAsLong(start + time)) {
            wrong = "a record that returned another count than the one that followed";
        }
    }

    private void trim(long time) {
        settlePending();
        begin(time);
        pendingTrim = true;
        window.trim().accept(start + time);
        pendingTrim = false;
        if (time > latest) {
            latest = time;
        }
    }

    private void begin(long time) {
        pending = time;
        if (time > clock) {
            clock = time;
        }
    }

    private void settlePending() {
        if (pendingEvent) {
            thrown[thrownCount] = pending;
            thrownCount++;
            pendingEvent = false;
        } else if (pendingTrim) {
            thrownTrims[thrownTrimCount] = pending;
            thrownTrimCount++;
            pendingTrim = false;
        }
    }

    /**
     * Returns what is wrong with {@code held}, the times in the window after some calls on it by several threads, or an
     * empty string: nothing may be missing, and no more be there than events whose calls have thrown.
     */
    static String complaint(long[] held, ErrorCalls... all) {
        ErrorCalls sum = new ErrorCalls(all[0].window, all[0].start, all[0].mix, 0, all.length * all[0].sure.length);
        for (ErrorCalls calls : all) {
            calls.settlePending();
            sum.addAll(calls);
        }
        return sum.complaint(held);
    }

    private void addAll(ErrorCalls other) {
        System.arraycopy(other.sure, 0, sure, sureCount, other.sureCount);
        sureCount += other.sureCount;
        System.arraycopy(other.thrown, 0, thrown, thrownCount, other.thrownCount);
        thrownCount += other.thrownCount;
        System.arraycopy(other.thrownTrims, 0, thrownTrims, thrownTrimCount, other.thrownTrimCount);
        thrownTrimCount += other.thrownTrimCount;
        latest = Math.max(latest, other.latest);
    }

    private String complaint(long[] held) {
        for (int i = 1; i < held.length; i++) {
            if (held[i] < held[i - 1]) {
                return "toArray is not sorted at " + i + " of " + held.length;
            }
        }
        Arrays.sort(sure, 0, sureCount);
        Arrays.sort(thrown, 0, thrownCount);
        String complaint = complaint(held, latest);
        for (int i = 0; i < thrownCount + thrownTrimCount && !complaint.isEmpty(); i++) {
            long time = i < thrownCount ? thrown[i] : thrownTrims[i - thrownCount];
            if (time > latest && complaint(held, time).isEmpty()) {
                return "";
            }
        }
        return complaint;
    }

    /** The same if {@code now} is the latest time. */
    private String complaint(long[] held, long now) {
        int missing = 0;
        int extra = 0;
        int next = 0; // of those held
        int mayBe = 0; // of those thrown
        for (int i = 0; i <= sureCount; i++) {
            long time = i < sureCount ? sure[i] : Long.MAX_VALUE;
            if (now - time > mix.interval) {
                continue;
            }
            for (; next < held.length && held[next] < time; next++) {
                while (mayBe < thrownCount && thrown[mayBe] < held[next]) {
                    mayBe++;
                }
                if (now - held[next] <= mix.interval && mayBe < thrownCount && thrown[mayBe] == held[next]) {
                    mayBe++;
                } else {
                    extra++;
                }
            }
            if (next < held.length && held[next] == time) {
                next++;
            } else if (i < sureCount) {
                missing++;
            }
        }
        return missing + extra == 0
                ? ""
                : missing + " events missing and " + extra + " too many of " + held.length + ", by " + thrownCount
                        + " records that have thrown";
    }
}
