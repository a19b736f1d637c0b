package io.github.hotpath.window;

import static io.github.hotpath.window.Chunks.MAX_LENGTH;
import static io.github.hotpath.window.Chunks.SMALL;
import static io.github.hotpath.window.Chunks.firstWithin;
import static io.github.hotpath.window.Chunks.isSparse;
import static io.github.hotpath.window.Chunks.isWithin;
import static io.github.hotpath.window.Chunks.lengthFor;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The times of events, oldest first, in chunks: what a window remembers. Not thread-safe.
 *
 * <p>A log has no interval and no now: each call brings a time {@code asOf}, not earlier than any event of the log, and
 * an age. An event is <i>within</i> {@code maxAge} when {@code asOf - time}, read as unsigned, is at most that.
 */
sealed class EventLog permits Stripe {
    /*
     * The times stand in chunks. Only the first chunk has a gap in front and only the last has room behind, so an event
     * is added at the tail and forgotten at the head by a step each, and nothing is copied when the log grows:
     *
     *          head                                                 tail
     *           v                                                    v
     *     [. . 3 4 5 7 7 8]  [9 9 12 ... 40]  [41 ... 77]  [78 79 80 . . . . .]
     *           first               middle: all full               last
     *
     * One or two chunks need no deque. A new chunk is more than twice as long as the log, up to 1024, so a window of up
     * to half of that settles in a single chunk: when its tail is at the end, its fewer events move to the front.
     *
     * Expired events are not looked at one by one, but for a few: slide() steps over the one that goes as another
     * comes, and add() over the few that go in uneven traffic; anything else is count(), which finds the border between
     * old and young from whichever end is nearer, chunk by chunk and then by bisection, and keepNewest(), which lets go
     * of whole chunks. When little is left it is that little which moves, and what goes is not read.
     *
     * slide() and what calls it are only fast where HotSpot compiles them into *their* callers, and it stops doing so
     * when their own machine code has grown over 2500 bytes. So slide() has no call and no loop in it, and all that is
     * done when it says no stands in add(), whose code is longer than the 325 bytes that HotSpot compiles into a caller
     * at the most. In smaller methods it would come in whenever it has been called often before, as small windows do.
     */

    /** How many events are looked at one by one, at the most: for more, a search is cheaper. */
    private static final int STEPS = 8;

    private static final long[] NONE = {};

    /**
     * Holds the oldest event, at {@link #head}; full behind it, unless it is also the last. Of length 0 if the log is
     * empty.
     */
    private long[] first = NONE;

    /** Where the oldest event is: {@code 0 <= head < first.length}, or 0 if the log is empty. */
    private int head;

    /** Holds the newest event, at {@code tail - 1}; the same chunk as {@link #first} when there is but one. */
    private long[] last = NONE;

    /** Where the next event goes: {@code 0 < tail <= last.length}, or 0 if the log is empty. */
    private int tail;

    /** The chunks between first and last, oldest first, each full. Null until there is one, and in a small log. */
    private @Nullable ArrayDeque<long[]> middle;

    /** The most chunks that {@link #middle} has had: its array has room for as many. Zero when it is null. */
    private int peak;

    /**
     * A chunk to use again, so that steady traffic allocates nothing: of full length, or a small one in an empty log.
     */
    private long @Nullable [] spare;

    /** The number of events: the filled part of all chunks. */
    private long size;

    /** Returns the number of events in the log. */
    long size() {
        return size;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than {@code now}, and forgets the oldest if it is then older than
     * {@code maxAge}; says no, and has changed nothing, if that is not enough. All events are within {@code maxAge} as
     * of now.
     */
    boolean slide(long nanos, long now, long maxAge) {
        int end = tail;
        if (end == last.length) {
            return false;
        }
        // Signed: as of now, an event has from 0 to maxAge to live, which is its time + toLive.
        long passed = nanos - now;
        long toLive = maxAge - now;
        int oldest = head;
        if (passed <= first[oldest] + toLive) {
            size++;
        } else if (++oldest < first.length && passed <= first[oldest] + toLive) {
            head = oldest; // if that is the end, what was read there means nothing, but the new event is the oldest
        } else {
            return false;
        }
        last[end] = nanos;
        tail = end + 1;
        return true;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than any other, if there is room in the last chunk, and forgets
     * nothing.
     */
    final boolean addIfRoom(long nanos) {
        int end = tail;
        if (end >= last.length) {
            return false;
        }
        last[end] = nanos;
        tail = end + 1;
        size++;
        return true;
    }

    /**
     * Adds an event at {@code nanos}, not earlier than any other, and forgets those that are then older than
     * {@code maxAge}: {@link #slide} for all cases. It is long so as never to be compiled into its callers, see above.
     */
    void add(long nanos, long maxAge) {
        int stop = Math.min(head + STEPS, first == last ? tail : first.length);
        int oldest = head;
        while (oldest < stop && !isWithin(first[oldest], nanos, maxAge)) {
            oldest++;
        }
        if (oldest < stop && !isSparse(size - (oldest - head), last.length)) {
            size -= oldest - head;
            head = oldest;
        } else {
            forget(nanos, maxAge);
        }

        if (tail == last.length && first == last && 2 * size < last.length) {
            moveInto(last);
        } else if (tail == last.length) {
            long[] chunk = spare != null ? spare : new long[lengthFor(size)];
            spare = null;
            if (size == 0) {
                first = chunk;
            } else if (first != last) {
                middle = middle == null ? new ArrayDeque<>() : middle;
                middle.add(last);
                peak = Math.max(peak, middle.size());
            }
            last = chunk;
            tail = 0;
        }
        last[tail++] = nanos;
        size++;
    }

    /** Adds an event in front of the {@code later} newest ones, each of which moves up by a place. */
    void insert(long nanos, long later) {
        add(later == 0 ? nanos : newest(1), Long.MAX_VALUE); // makes a place at the tail, and forgets nothing
        Iterator<long[]> earlierChunks = middleFromNewest();
        long[] chunk = last;
        int gap = tail - 1; // in the chunk: the place that is free
        long toMove = later;
        while (toMove > gap - (chunk == first ? head : 0)) {
            System.arraycopy(chunk, 0, chunk, 1, gap);
            toMove -= gap + 1;
            long[] earlier = earlierChunks.hasNext() ? earlierChunks.next() : first;
            chunk[0] = earlier[earlier.length - 1];
            chunk = earlier;
            gap = earlier.length - 1;
        }
        int place = gap - (int) toMove;
        System.arraycopy(chunk, place, chunk, place + 1, (int) toMove);
        chunk[place] = nanos;
    }

    /** Returns the chunks between first and last, newest first. */
    private Iterator<long[]> middleFromNewest() {
        return middle == null ? Collections.emptyIterator() : middle.descendingIterator();
    }

    /** Forgets the events that are older than {@code maxAge} as of {@code asOf}. */
    void forget(long asOf, long maxAge) {
        long kept = count(asOf, maxAge);
        if (kept < size) {
            keepNewest(kept);
        }
    }

    /** Returns how many events are within {@code maxAge} as of {@code asOf}: they are the newest of the log. */
    long count(long asOf, long maxAge) {
        if (size == 0 || isWithin(first[head], asOf, maxAge)) {
            return size;
        }
        if (first == last) {
            return tail - firstWithin(first, head, tail, asOf, maxAge);
        }
        if (isWithin(first[first.length - 1], asOf, maxAge)) {
            return size - (firstWithin(first, head, first.length, asOf, maxAge) - head);
        }
        if (middle == null || !isWithin(last[0], asOf, maxAge)) {
            return tail - firstWithin(last, 0, tail, asOf, maxAge);
        }
        return countAcross(middle, asOf, maxAge);
    }

    /**
     * The same when the border is in a middle chunk or beside one: searched from both ends, so the nearer one decides.
     */
    private long countAcross(ArrayDeque<long[]> middle, long asOf, long maxAge) {
        long left = size - (first.length - head);
        long[] second = middle.peek();
        if (second == null) {
            return left;
        }
        if (isWithin(second[second.length - 1], asOf, maxAge)) { // what steady traffic asks: no need for iterators
            return left - firstWithin(second, 0, second.length, asOf, maxAge);
        }
        long found = tail;
        Iterator<long[]> up = middle.iterator();
        Iterator<long[]> down = middle.descendingIterator();
        while (true) {
            long[] chunk = up.next();
            if (isWithin(chunk[chunk.length - 1], asOf, maxAge)) {
                return left - firstWithin(chunk, 0, chunk.length, asOf, maxAge);
            }
            left -= chunk.length;
            chunk = down.next();
            if (!isWithin(chunk[0], asOf, maxAge)) {
                return found + chunk.length - firstWithin(chunk, 0, chunk.length, asOf, maxAge);
            }
            found += chunk.length;
        }
    }

    /** Returns the time of the event at {@code rank}, counted from the newest, which is 1. */
    long newest(long rank) {
        long index = size - rank;
        if (index < first.length - head) {
            return first[head + (int) index];
        }
        if (rank <= tail) {
            return last[tail - (int) rank];
        }
        Iterator<long[]> down = middleFromNewest();
        long[] chunk = down.next();
        long behind = rank - tail;
        while (behind > chunk.length) {
            behind -= chunk.length;
            chunk = down.next();
        }
        return chunk[chunk.length - (int) behind];
    }

    /** Forgets all events but the {@code kept} newest, and the memory that they took. */
    private void keepNewest(long kept) {
        if (kept == 0) {
            spare = last.length > SMALL ? null : last;
            first = NONE;
            last = NONE;
            head = 0;
            tail = 0;
            middle = null;
            peak = 0;
        } else if (kept < size / 4) {
            moveBack(kept);
        } else {
            moveOn(size - kept);
        }
        size = kept;
        fit();
    }

    /** Moves the head over the {@code forgotten} oldest events, chunk by chunk. */
    private void moveOn(long forgotten) {
        long ahead = head + forgotten;
        while (ahead >= first.length) {
            ahead -= first.length;
            spare = first.length == MAX_LENGTH ? first : spare;
            first = middle == null || middle.isEmpty() ? last : middle.remove();
        }
        head = (int) ahead;
    }

    /** Gathers the chunks of the {@code kept} newest events from the tail; those in front of them are not touched. */
    private void moveBack(long kept) {
        ArrayDeque<long[]> left = null;
        Iterator<long[]> earlier = middleFromNewest();
        long[] oldest = last;
        long missing = kept - tail;
        while (missing > 0) {
            if (oldest != last) {
                left = left == null ? new ArrayDeque<>() : left;
                left.addFirst(oldest);
            }
            oldest = earlier.hasNext() ? earlier.next() : first;
            missing -= oldest.length;
        }
        first = oldest;
        head = (int) -missing;
        middle = left;
        peak = left == null ? 0 : left.size();
    }

    /** Gives back what is too large for what is left: the deque or its array, two nearly empty chunks, the spare. */
    private void fit() {
        if (middle != null && middle.isEmpty() && size <= MAX_LENGTH) { // a larger log soon needs it again
            middle = null;
            peak = 0;
        } else if (middle != null && middle.size() < peak / 4) {
            middle = new ArrayDeque<>(middle);
            peak = middle.size();
        }
        if (middle == null && isSparse(size, room())) {
            moveInto(new long[lengthFor(size)]);
        }
        if (size > 0 && size < MAX_LENGTH / 4) {
            spare = null;
        }
    }

    private int room() {
        return first == last ? first.length : first.length + last.length;
    }

    /** Moves all events to the start of {@code chunk}, which becomes the only one. */
    private void moveInto(long[] chunk) {
        copyTo(chunk, 0);
        first = chunk;
        head = 0;
        last = chunk;
        tail = (int) size;
    }

    /** Forgets everything and keeps nothing. */
    void clear() {
        keepNewest(0);
        release();
    }

    /** Gives back the memory that is kept for events to come. */
    void release() {
        spare = null;
        if (size == 0) {
            first = NONE;
            last = NONE;
        } else if (middle == null && size < MAX_LENGTH / 2 && room() > lengthFor(size)) {
            moveInto(new long[lengthFor(size)]);
        }
    }

    /** Returns the times, oldest first. */
    long[] toArray() {
        long[] times = new long[arrayLength(size)];
        copyTo(times, 0);
        return times;
    }

    /** Returns {@code size} as the length of an array, if there are arrays so long. */
    static int arrayLength(long size) {
        if (size > Integer.MAX_VALUE - 8) { // what the JDK's own collections take for the limit of every JVM
            throw new OutOfMemoryError("more events than an array holds: " + size);
        }
        return (int) size;
    }

    /** Copies the times, oldest first, to {@code times} from the place {@code from} on. */
    void copyTo(long[] times, int from) {
        if (first == last) {
            System.arraycopy(first, head, times, from, (int) size);
            return;
        }
        int to = from + first.length - head;
        System.arraycopy(first, head, times, from, first.length - head);
        if (middle != null) {
            for (long[] chunk : middle) {
                System.arraycopy(chunk, 0, times, to, chunk.length);
                to += chunk.length;
            }
        }
        System.arraycopy(last, 0, times, to, tail);
    }

    /** Throws if what the fields say of themselves does not hold; for tests. */
    void checkInvariants(long asOf, long maxAge) {
        boolean single = first == last;
        long counted = single ? tail - head : first.length - head + tail;
        if (middle != null) {
            check(!single, "a middle without two ends");
            check(middle.size() <= peak, "a middle larger than its peak");
            check(middle.size() >= peak / 4, "a deque four times too large");
            for (long[] chunk : middle) {
                counted += chunk.length;
            }
        }
        check(counted == size, "size is not what the chunks hold");
        if (size == 0) {
            check(single && first.length == 0 && head == 0, "an empty log with a chunk");
        } else {
            check(
                    head >= 0 && head < first.length && tail > 0 && tail <= last.length,
                    "head or tail outside its chunk");
        }
        check(middle != null || peak == 0, "a peak without a deque");
        check(
                spare == null || spare.length == MAX_LENGTH || size == 0 && spare.length <= SMALL,
                "a spare that is not of full length");
        long[] times = toArray();
        for (int i = 0; i < times.length; i++) {
            check(isWithin(times[i], asOf, maxAge), "an event that has expired");
            check(i == 0 || times[i] - times[i - 1] >= 0, "events out of order");
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
