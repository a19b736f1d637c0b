package io.github.hotpath.window;

import static io.github.hotpath.internal.Invariants.check;
import static io.github.hotpath.internal.Times.isOlder;
import static io.github.hotpath.window.Chunks.MAX_LENGTH;
import static io.github.hotpath.window.Chunks.SMALL;
import static io.github.hotpath.window.Chunks.firstChunkWithin;
import static io.github.hotpath.window.Chunks.firstWithin;
import static io.github.hotpath.window.Chunks.isSparse;
import static io.github.hotpath.window.Chunks.lengthFor;

import io.github.hotpath.internal.StackReserve;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A sorted log of timestamps, oldest first, in chunks. Not thread-safe.
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
     * One or two chunks need no deque. A new chunk is more than twice as long as the log, up to 1024, so a window of up
     * to half of that settles in a single chunk: when its tail is at the end, its fewer events move to the front.
     *
     * tryAppend() steps over the event that expires as another is added, and add() over the few that expire in uneven
     * traffic. For more, count() tries the ends and then bisects, and keepNewest() drops whole chunks. The deque is
     * copied by middle(), and never iterated: see docs/design.md on what HotSpot does to an iterator under a lock.
     *
     * tryAppend() is only fast where HotSpot inlines it and its callers, which it does not once their machine code has
     * grown over 2500 bytes. So it has no call and no loop, and everything else is in add(), whose bytecode is longer
     * than the 325 bytes that HotSpot inlines at most: it would inline smaller methods that are called often.
     *
     * Any call can throw a StackOverflowError, any allocation an OutOfMemoryError. So each change is prepared by those
     * that change nothing, and then made by stores alone; two that cannot be made so, removing chunks from the deque
     * and shifting events across chunks, are preceded by StackReserve.check().
     */

    /** The number of events that are visited one by one at most: for more, a search is cheaper. */
    private static final int STEPS = 8;

    private static final int MIN_CAPACITY = 14; // an ArrayDeque leaves one slot more free: 80 bytes

    private static final long[] NONE = {};
    private static final Object[] NO_CHUNKS = {};

    /** Holds the oldest event, at {@link #head}; full behind it, unless it is also the last. */
    private long[] first = NONE;

    /** The index of the oldest event: {@code 0 <= head < first.length}, or 0 if the log is empty. */
    private int head;

    /** Holds the newest event, at {@code tail - 1}; the same as {@link #first} when there is one chunk or none. */
    private long[] last = NONE;

    /** The index of the next event: {@code 0 < tail <= last.length}; {@code last.length} if the log is empty. */
    private int tail;

    /** The chunks between first and last, oldest first, each full. Null in a log that needs none. */
    private @Nullable ArrayDeque<long[]> middle;

    /** The number of chunks that {@link #middle} holds without growing: an ArrayDeque that fails to grow is lost. */
    private int capacity;

    /** A chunk to use again, so that steady traffic allocates nothing. A second one would be 8 KB for little. */
    private long @Nullable [] spare;

    /** The number of events: the filled part of all chunks. */
    private long size;

    long size() {
        return size;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than {@code latest}, and removes the oldest if it is then older than
     * {@code maxAge}; returns false, and has changed nothing, if that is not enough. No event is later than
     * {@code latest}, nor 2^63 ns earlier.
     */
    boolean tryAppend(long nanos, long latest, long maxAge) {
        int end = tail;
        if (end == last.length) {
            return false;
        }
        // Signed: at the latest time an event has at most maxAge left, which is its time + toLive.
        long passed = nanos - latest;
        long toLive = maxAge - latest;
        int oldest = head;
        if (passed <= first[oldest] + toLive) {
            size++;
        } else if (++oldest < first.length && passed <= first[oldest] + toLive) {
            head = oldest; // if this is the end, the value read means nothing, but the new event is the oldest
        } else {
            return false;
        }
        last[end] = nanos;
        tail = end + 1;
        return true;
    }

    /** Returns the middle chunks, oldest first. A typed array would be a read of each, to check its type. */
    private Object[] middle() {
        return middle == null ? NO_CHUNKS : middle.toArray();
    }

    /** Returns whether the next event at the tail needs another chunk, or the room of expired events. */
    boolean isChunkFull() {
        return tail == last.length;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than any other, and removes those that are then older than
     * {@code maxAge}: {@link #tryAppend} for all cases. Its length keeps it from being inlined, see above.
     */
    void add(long nanos, long maxAge) {
        int stop = size == 0 ? head : Math.min(head + STEPS, first == last ? tail : first.length);
        int oldest = head;
        while (oldest < stop && isOlder(first[oldest], nanos, maxAge)) {
            oldest++;
        }
        if (oldest < stop && !isSparse(size - (oldest - head), room())) {
            size -= oldest - head;
            head = oldest;
        } else {
            expire(nanos, maxAge);
        }

        if (tail == last.length && first == last && 2 * size < last.length) {
            System.arraycopy(first, first.length - (int) size, last, 0, (int) size);
            head = 0;
            tail = (int) size;
        } else if (tail == last.length) {
            long[] chunk = spare != null ? spare : new long[lengthFor(size)];
            if (first != last) {
                ArrayDeque<long[]> chunks = middle == null || middle.size() == capacity
                        ? resize(Math.max(MIN_CAPACITY, 2 * capacity))
                        : middle;
                chunks.add(last);
            }
            first = size == 0 ? chunk : first;
            last = chunk;
            tail = 0;
            spare = null;
        }
        last[tail++] = nanos;
        size++;
    }

    /** Moves the middle chunks to a deque that holds {@code chunks} without growing, and returns it. */
    private ArrayDeque<long[]> resize(int chunks) {
        ArrayDeque<long[]> resized = new ArrayDeque<>(chunks);
        for (Object chunk : middle()) {
            resized.add((long[]) chunk);
        }
        middle = resized;
        capacity = chunks;
        return resized;
    }

    /**
     * Returns whether an event that is {@code age} old at {@code nanos}, at least 1, belongs to the last two chunks, so
     * that {@link #insert} moves few others.
     */
    boolean isNearTail(long nanos, long age) {
        long[] beforeLast = middle == null ? null : middle.peekLast();
        return beforeLast == null || isOlder(beforeLast[0], nanos, age - 1);
    }

    /** Inserts an event in front of the {@code later} newest ones, each of which moves up by a place. */
    void insert(long nanos, long later) {
        if (tail < last.length && later <= tail - (first == last ? head : 0)) {
            int place = tail - (int) later;
            System.arraycopy(last, place, last, place + 1, (int) later);
            last[place] = nanos;
            tail++;
            size++;
        } else if (later == 0) {
            add(nanos, Long.MAX_VALUE); // removes nothing
        } else {
            StackReserve.check();
            add(newest(), Long.MAX_VALUE); // a place at the tail
            insertAcross(nanos, later);
        }
    }

    /** Inserts an event in the place of the newest one, which has a copy in front of it. */
    private void insertAcross(long nanos, long later) {
        long[] chunk = last;
        int gap = tail - 1; // the index in the chunk that is free
        long toMove = later;
        int rotated = 0; // chunks of the middle, each from its end to its front: an iterator would be an allocation
        while (toMove > gap - (chunk == first ? head : 0)) {
            System.arraycopy(chunk, 0, chunk, 1, gap);
            toMove -= gap + 1;
            long[] earlier = first;
            if (middle != null && rotated < middle.size()) {
                earlier = middle.removeLast();
                middle.addFirst(earlier);
                rotated++;
            }
            chunk[0] = earlier[earlier.length - 1];
            chunk = earlier;
            gap = earlier.length - 1;
        }
        int place = gap - (int) toMove;
        System.arraycopy(chunk, place, chunk, place + 1, (int) toMove);
        chunk[place] = nanos;
        for (; middle != null && rotated > 0; rotated--) {
            middle.addLast(middle.removeFirst());
        }
    }

    /** Removes the events that are older than {@code maxAge} at {@code nanos}, and releases their memory. */
    void expire(long nanos, long maxAge) {
        long before = size;
        if (before > 0 && !isOlder(last[0], nanos, maxAge)) { // otherwise the boundary is near the tail
            removeChunks(nanos, maxAge);
        }
        long kept = count(nanos, maxAge);
        if (kept == before) {
            return;
        }
        if (kept == 0) {
            restart(last.length > SMALL ? NONE : last);
        } else {
            keepNewest(kept);
            shrink();
        }
    }

    /** Removes up to a few chunks that have expired: the count of the rest seldom has to copy the middle. */
    private void removeChunks(long nanos, long maxAge) {
        for (int steps = 0; steps < STEPS && middle != null && !middle.isEmpty(); steps++) {
            long[] second = middle.getFirst();
            if (!isOlder(second[second.length - 1], nanos, maxAge)) {
                return;
            }
            keepNewest(size - (first.length - head));
        }
    }

    /** Becomes empty, with {@code chunk} as the only one. */
    private void restart(long[] chunk) {
        first = chunk;
        head = 0;
        last = chunk;
        tail = chunk.length;
        middle = null;
        capacity = 0;
        spare = null;
        size = 0;
    }

    /** Moves the head to the oldest of the {@code kept} newest events, chunk by chunk. */
    private void keepNewest(long kept) {
        long ahead = head + (size - kept);
        if (ahead >= first.length) {
            StackReserve.check();
        }
        Object chunk = first; // a cast, or its length, would read each chunk
        Object dropped = spare;
        int length = first.length;
        while (ahead >= length) {
            ahead -= length;
            dropped = length == MAX_LENGTH ? chunk : dropped;
            chunk = middle == null || middle.isEmpty() ? last : middle.remove();
            if (length < MAX_LENGTH) { // otherwise all newer ones are of that length too
                length = ((long[]) chunk).length;
            }
        }
        spare = (long[]) dropped;
        first = (long[]) chunk;
        head = (int) ahead;
        size = kept;
    }

    /**
     * Releases storage that is too large for the events left: the deque or its array, nearly empty chunks, the spare.
     */
    private void shrink() {
        if (size < MAX_LENGTH / 4) {
            spare = null;
        }
        if (middle != null && middle.isEmpty() && size <= MAX_LENGTH) { // a larger log soon needs it again
            middle = null;
            capacity = 0;
        } else if (middle != null && capacity > MIN_CAPACITY && middle.size() < capacity / 4) {
            resize(Math.max(MIN_CAPACITY, 2 * middle.size()));
        }
        if (middle == null && isSparse(size, room())) {
            moveInto(new long[lengthFor(size)]);
        }
    }

    private int room() {
        return first == last ? first.length : first.length + last.length;
    }

    /** Moves all events, of which none is in the middle, to the start of {@code chunk}, which becomes the only one. */
    private void moveInto(long[] chunk) {
        copyTo(chunk, 0);
        middle = null;
        capacity = 0;
        first = chunk;
        head = 0;
        last = chunk;
        tail = (int) size;
    }

    void clear() {
        restart(NONE);
    }

    void release() {
        spare = null;
        if (size == 0) {
            restart(NONE);
        } else if ((middle == null || middle.isEmpty()) && size < MAX_LENGTH / 2 && room() > lengthFor(size)) {
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
        if (!isOlder(first[first.length - 1], nanos, maxAge)) {
            return size - (firstWithin(first, head, first.length, nanos, maxAge) - head);
        }
        if (middle == null || middle.isEmpty() || isOlder(last[0], nanos, maxAge)) {
            return tail - firstWithin(last, 0, tail, nanos, maxAge);
        }
        return countAcross(middle, nanos, maxAge);
    }

    /** Counts where the boundary is in a middle chunk or beside one. */
    private long countAcross(ArrayDeque<long[]> middle, long nanos, long maxAge) {
        long left = size - (first.length - head);
        long[] chunk = middle.getFirst();
        if (!isOlder(chunk[chunk.length - 1], nanos, maxAge)) { // the usual case in steady traffic, without a copy
            return left - firstWithin(chunk, 0, chunk.length, nanos, maxAge);
        }
        chunk = middle.getLast();
        if (isOlder(chunk[0], nanos, maxAge)) {
            return tail + chunk.length - firstWithin(chunk, 0, chunk.length, nanos, maxAge);
        }
        Object[] chunks = middle();
        int boundary = firstChunkWithin(chunks, nanos, maxAge);
        int shorter = 0; // than the full length: only the oldest are, see lengthFor
        while (shorter < boundary && ((long[]) chunks[shorter]).length < MAX_LENGTH) {
            left -= ((long[]) chunks[shorter++]).length;
        }
        chunk = (long[]) chunks[boundary];
        return left - (long) (boundary - shorter) * MAX_LENGTH - firstWithin(chunk, 0, chunk.length, nanos, maxAge);
    }

    /** Returns the time of the newest event; there is one. */
    long newest() {
        return last[tail - 1];
    }

    /** Copies all events and their chunks to a log that is empty. */
    void copyTo(EventLog copy) {
        copy.first = first.clone();
        copy.head = head;
        copy.last = first == last ? copy.first : last.clone();
        copy.tail = tail;
        if (middle != null) {
            ArrayDeque<long[]> chunks = copy.resize(capacity);
            for (Object chunk : middle()) {
                chunks.add(((long[]) chunk).clone());
            }
        }
        copy.size = size;
    }

    /** Copies the times, oldest first, to {@code times} from the index {@code from} on. */
    void copyTo(long[] times, int from) {
        if (first == last) {
            System.arraycopy(first, head, times, from, (int) size);
            return;
        }
        int to = from + first.length - head;
        System.arraycopy(first, head, times, from, first.length - head);
        for (Object each : middle()) {
            long[] chunk = (long[]) each;
            System.arraycopy(chunk, 0, times, to, chunk.length);
            to += chunk.length;
        }
        System.arraycopy(last, 0, times, to, tail);
    }

    void checkInvariants() {
        if (size == 0) {
            boolean unused = first == last && last.length <= SMALL && head == 0 && tail == last.length;
            check(unused, "an empty log with a chunk in use");
            check(middle == null && capacity == 0 && spare == null, "an empty log with memory to spare");
            return;
        }
        boolean inside = head >= 0 && head < first.length && tail > 0 && tail <= last.length;
        check(inside, "head or tail outside its chunk");
        check(first != last || middle == null || middle.isEmpty(), "a middle without two ends");
        check(middle == null ? capacity == 0 : middle.size() <= capacity, "a middle larger than its capacity");
        check(spare == null || spare.length == MAX_LENGTH, "a spare that is not of full length");
        long filled = first == last ? tail - head : first.length - head + tail;
        for (Object chunk : middle()) {
            filled += ((long[]) chunk).length;
        }
        check(filled == size, "size is not what the chunks hold");
        long[] times = new long[(int) size];
        copyTo(times, 0);
        for (int i = 1; i < times.length; i++) {
            check(times[i] - times[i - 1] >= 0, "events out of order");
        }
    }

    /** A log that shares no cache line with the object behind it. */
    static final class Padded extends EventLog {
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15; // two lines, never read
    }
}
