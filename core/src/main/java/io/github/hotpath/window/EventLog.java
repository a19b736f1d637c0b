package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;
import static io.github.hotpath.window.Chunks.MAX_LENGTH;
import static io.github.hotpath.window.Chunks.MIN_LENGTH;
import static io.github.hotpath.window.Chunks.firstWithin;
import static io.github.hotpath.window.Chunks.lengthFor;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A log of timestamps in order, oldest first, in chunks. Not thread-safe.
 *
 * <p>A log has no interval and no latest time: each call passes a time {@code nanos}, not earlier than any event of the
 * log, and an age. An event is <i>within</i> {@code maxAge} when {@code nanos - time}, as unsigned, is at most that.
 */
class EventLog {
    /*
     * Only the first chunk has a gap in front and only the last has room behind, so an event is added at the tail and
     * expires at the head by one step each, and nothing is copied when the log grows:
     *
     *          head                                                 tail
     *           v                                                    v
     *     [. . 3 4 5 7 7 8]  [9 9 12 ... 40]  [41 ... 77]  [78 79 80 . . . . .]
     *           first               middle: all full               last
     *
     * A log of up to some 500 events has a single chunk, which is shorter: when its tail is at the end, the events move
     * to its front, or to one of twice the length if they fill more than half of it. Several chunks have 1024 events
     * each, and three or more have the deque.
     *
     * Between two events that come by chance, none, one or several expire: a processor cannot predict that, and a wrong
     * prediction costs more than all else. So tryAppend() counts them without a branch. It is only fast where HotSpot
     * inlines it and its callers, so it has no call and no loop; add() does the rest.
     */

    /** How many events are visited one by one at most: for more, a search is cheaper. */
    private static final int STEPS = 8;

    /** Up to this length a chunk is kept however few events are left: uneven traffic would make it grow again. */
    private static final int SMALL = 32;

    /** Up to so many chunks the deque is kept as it is. */
    private static final int MANY = 64;

    private static final long[] NONE = {};

    /** Holds the oldest event, at {@link #head}; full behind it, unless it is also the last. */
    long[] first = NONE;

    /** The index of the oldest event; in an empty log, the length of its chunk. */
    int head;

    /** Holds the newest event, at {@code tail - 1}; the same as {@link #first} when there is one chunk or none. */
    long[] last = NONE;

    /** The index of the next event; in an empty log, the length of its chunk. */
    int tail;

    /** The chunks between first and last, oldest first. Null in a log that has needed none. */
    @Nullable
    ArrayDeque<long[]> middle;

    /** The most chunks that were in {@link #middle} since it was made: its own array is about as long. */
    int peak;

    /** A chunk to use again, so that steady traffic allocates nothing. A second one would be 8 KB for little. */
    long @Nullable [] spare;

    /** The number of events. */
    long size;

    /**
     * Adds an event at {@code nanos}, not earlier than any other, and removes up to three that are then older than
     * {@code maxAge}; returns false, and has changed nothing, if that is not enough. No event was older before.
     */
    boolean tryAppend(long nanos, long maxAge) {
        int end = tail;
        int oldest = head;
        long[] oldests = first;
        if (end == last.length || oldest + 3 >= oldests.length || 8 * size < last.length && last.length > SMALL) {
            return false; // the last is for a chunk that has become nearly empty, which add() replaces
        }
        last[end] = nanos; // before the next lines, which stop here at the latest: what is behind it means nothing
        long offset = maxAge - nanos; // what has expired has a time + offset of less than 0
        long one = (oldests[oldest] + offset) >>> 63;
        long two = one & (oldests[oldest + 1] + offset) >>> 63;
        long three = two & (oldests[oldest + 2] + offset) >>> 63;
        long more = three & (oldests[oldest + 3] + offset) >>> 63;
        if (more != 0) {
            return false;
        }
        int expired = (int) (one + two + three);
        head = oldest + expired;
        tail = end + 1;
        size += 1 - expired;
        return true;
    }

    /** Returns whether the next event needs another chunk, or the room of expired ones. */
    boolean isChunkFull() {
        return tail == last.length;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than any other, and removes those that are then older than
     * {@code maxAge}: {@link #tryAppend} for all cases.
     */
    void add(long nanos, long maxAge) {
        expire(nanos, maxAge);
        if (tail == last.length) {
            makeRoom();
        }
        last[tail++] = nanos;
        size++;
    }

    /** Adds events in order, not earlier than any other, and removes none. */
    void addAll(long[] times) {
        for (int from = 0; from < times.length; ) {
            if (tail == last.length) {
                makeRoom();
            }
            int added = Math.min(last.length - tail, times.length - from);
            System.arraycopy(times, from, last, tail, added);
            from += added;
            tail += added;
            size += added;
        }
    }

    private void makeRoom() {
        if (first == last && 2 * size < last.length) {
            moveInto(last); // to its front
        } else if (first == last && last.length < MAX_LENGTH) {
            moveInto(new long[Math.max(MIN_LENGTH, 2 * last.length)]);
        } else {
            if (first != last) {
                middle = middle == null ? new ArrayDeque<>() : middle;
                middle.add(last);
                peak = Math.max(peak, middle.size());
            }
            last = spare != null ? spare : new long[MAX_LENGTH];
            spare = null;
            tail = 0;
        }
    }

    /** Moves all events, of which none is in the middle, to the front of {@code chunk}, which becomes the only one. */
    private void moveInto(long[] chunk) {
        copyTo(chunk, 0);
        restart(chunk, 0, (int) size);
    }

    private void restart(long[] chunk, int newHead, int newTail) {
        first = chunk;
        head = newHead;
        last = chunk;
        tail = newTail;
        middle = null;
        peak = 0;
        spare = null;
        size = newTail - newHead;
    }

    /**
     * Inserts an event at {@code nanos}, earlier than {@code latest}, if it belongs in the last chunk and there is
     * room, and returns whether it did.
     */
    boolean insertInLast(long nanos, long latest) {
        if (size == 0 || first != last && nanos - last[0] < 0) {
            return false;
        }
        if (tail == last.length && first == last && last.length < MAX_LENGTH) {
            makeRoom();
        }
        if (tail == last.length) {
            return false;
        }
        int place = firstWithin(last, first == last ? head : 0, tail, latest, latest - nanos - 1);
        System.arraycopy(last, place, last, place + 1, tail - place);
        last[place] = nanos;
        tail++;
        size++;
        return true;
    }

    /** Removes the events that are older than {@code maxAge} at {@code nanos}, and releases their memory. */
    void expire(long nanos, long maxAge) {
        int stop = Math.min(head + STEPS, first == last ? tail : first.length);
        int oldest = head;
        while (oldest < stop && isOlder(first[oldest], nanos, maxAge)) {
            oldest++;
        }
        if (oldest < stop) {
            size -= oldest - head;
            head = oldest;
        } else {
            keepNewest(count(nanos, maxAge));
        }
        if (room() > SMALL && size < room() / 8) {
            moveInto(size == 0 ? NONE : new long[lengthFor(size)]);
        }
    }

    /** Returns the length of the first and the last chunk. */
    private int room() {
        return first == last ? first.length : 2 * MAX_LENGTH;
    }

    /** Moves the head to the oldest of the {@code kept} newest events. */
    private void keepNewest(long kept) {
        if (kept == 0) {
            restart(last, last.length, last.length);
            return;
        }
        long ahead = head + (size - kept);
        size = kept;
        head = (int) (ahead % MAX_LENGTH);
        if (ahead < MAX_LENGTH) {
            return;
        }
        spare = first;
        for (; middle != null && ahead >= 2 * MAX_LENGTH; ahead -= MAX_LENGTH) {
            middle.remove(); // not assigned: the type check would load each chunk's header, a cache miss apiece
        }
        first = middle == null || middle.isEmpty() ? last : middle.remove();
        if (middle != null && peak > MANY && middle.size() < peak / 8) {
            middle = new ArrayDeque<>(middle);
            peak = middle.size();
        }
    }

    void clear() {
        restart(NONE, 0, 0);
    }

    void release() {
        spare = null;
        if (size == 0) {
            clear();
        } else if (size < MAX_LENGTH / 2 && room() > lengthFor(size)) {
            moveInto(new long[lengthFor(size)]);
        }
    }

    /** Returns how many events are within {@code maxAge} at {@code nanos}: they are the newest of the log. */
    long count(long nanos, long maxAge) {
        if (size == 0 || !isOlder(first[head], nanos, maxAge)) {
            return size;
        }
        if (first == last) {
            return tail - firstWithin(first, head, tail, nanos, maxAge);
        }
        if (!isOlder(first[MAX_LENGTH - 1], nanos, maxAge)) {
            return size - (firstWithin(first, head, MAX_LENGTH, nanos, maxAge) - head);
        }
        if (middle == null || middle.isEmpty() || isOlder(middle.getLast()[MAX_LENGTH - 1], nanos, maxAge)) {
            return tail - firstWithin(last, 0, tail, nanos, maxAge);
        }
        long left = size - (MAX_LENGTH - head);
        long[] chunk = middle.getFirst();
        if (isOlder(chunk[MAX_LENGTH - 1], nanos, maxAge)) { // else, as is usual in steady traffic, no copy is needed
            Object[] chunks = middle.toArray();
            int boundary = firstChunkWithin(chunks, nanos, maxAge);
            left -= (long) boundary * MAX_LENGTH;
            chunk = (long[]) chunks[boundary];
        }
        return left - firstWithin(chunk, 0, MAX_LENGTH, nanos, maxAge);
    }

    /** Returns the index of the first chunk whose newest event is within {@code maxAge} at {@code nanos}; there is one. */
    private static int firstChunkWithin(Object[] chunks, long nanos, long maxAge) {
        int low = 0;
        int high = chunks.length - 1;
        while (low < high) {
            int mid = (low + high) >>> 1;
            if (isOlder(((long[]) chunks[mid])[MAX_LENGTH - 1], nanos, maxAge)) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return low;
    }

    /** Copies the times, oldest first, to {@code times} from the index {@code from} on. */
    void copyTo(long[] times, int from) {
        if (first == last) {
            System.arraycopy(first, head, times, from, (int) size);
            return;
        }
        int to = from + MAX_LENGTH - head;
        System.arraycopy(first, head, times, from, MAX_LENGTH - head);
        if (middle != null) {
            for (long[] chunk : middle) {
                System.arraycopy(chunk, 0, times, to, MAX_LENGTH);
                to += MAX_LENGTH;
            }
        }
        System.arraycopy(last, 0, times, to, tail);
    }

    /** A log that shares no cache line with the object behind it. */
    static final class Padded extends EventLog {
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15; // two lines, never read
    }
}
