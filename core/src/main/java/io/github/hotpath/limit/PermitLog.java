package io.github.hotpath.limit;

import static io.github.hotpath.internal.Invariants.check;

import io.github.hotpath.internal.Sizes;
import io.github.hotpath.internal.StackReserve;
import io.github.hotpath.internal.Times;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sliding-window log of a limiter: the times at which permits were acquired, oldest first, with running sums of the
 * permits and of the calls. Not thread-safe.
 */
final class PermitLog {
    /*
     *   position           head                                          tail
     *                       412    413    414    415    416    417    (418)
     *   time                5.0    8.0    8.5    9.0    12.0   13.0
     *   permits             1      1      4      1      1      2
     *   permits before      70     71     72     76     77     78      80
     *
     * An entry keeps its position until it is removed: positions count up with each entry added. The log stores how
     * many permits there are before each position, so the permits of any range are a difference of two sums. What the
     * sums begin with does not matter, nor that they overflow: differences are right up to 2^63.
     *
     * Up to 1024 entries are in one chunk, a ring that grows by being copied to one of twice the length. In a longer
     * log the upper bits of a position are the number of its block, and each block has a chunk of its own.
     *
     * A chunk has columns one after another: times, permits, calls. Columns are left out from the end while each entry
     * of the chunk has a one there: an entry of one permit takes 8 bytes. The sums in a block are relative to those
     * before the block, which are side by side, so that a correction adds to the rest of one block and to these.
     *
     * Any call and any allocation can fail, since the stack may overflow and memory may end. So they precede the stores
     * that change the content, and these follow one another without a call; in change(), a check of the stack does.
     */

    /** The column of times. */
    private static final int TIMES = 0;

    /** The column with the number of permits before each entry. */
    static final int PERMITS = 1;

    /** The column with the number of calls before each entry. */
    static final int CALLS = 2;

    private static final int SHIFT = 10;

    /** The entries of a block, and of the longest ring. */
    static final int LONGEST = 1 << SHIFT;

    private static final int SHORTEST = 2;

    /** A ring of this length is not replaced by a shorter one: in uneven traffic it would grow again. */
    private static final int SMALL = 32;

    /** The chunk of the entry before the tail, or of the one at the tail; the only one if {@link #blocks} is null. */
    private long[] last = new long[SHORTEST];

    /** The chunks, if there are several. */
    private @Nullable ChunkRing blocks;

    /** The number of entries that a chunk has places for: a power of two. */
    private int length = SHORTEST;

    /** The position of the oldest entry: {@code 0 <= head <= tail}. */
    private long head;

    /** The position after the newest entry. */
    private long tail;

    /** The number of permits before the tail. */
    private long permits;

    /** The number of calls before the tail. */
    private long calls;

    long head() {
        return head;
    }

    long tail() {
        return tail;
    }

    long time(long at) {
        return chunk(at)[placeOf(at)];
    }

    /** Returns whether the newest entry is at {@code time}. */
    boolean endsAt(long time) {
        return head != tail && time(tail - 1) == time;
    }

    /** Returns the permits, or the calls, from a position on. */
    long sumFrom(int column, long at) {
        ChunkRing blocks = this.blocks;
        if (blocks != null && blocks.hasOnlyTimes()) {
            return tail - at;
        }
        return sum(column) - before(column, at);
    }

    /** Returns the permits, or the calls, of one entry. */
    long valueOf(int column, long at) {
        return before(column, at + 1) - before(column, at);
    }

    private long sum(int column) {
        return column == PERMITS ? permits : calls;
    }

    private long before(int column, long at) {
        if (at == tail) {
            return sum(column);
        }
        long[] chunk = chunk(at);
        int place = placeOf(at);
        boolean stored = has(chunk, column);
        if (blocks == null) {
            return stored ? chunk[column * length + place] : at;
        }
        return base(column, at) + (stored ? chunk[column * length + place] : place);
    }

    /** Returns the first entry from {@code from} on that is at most {@code ageNanos} old, or the tail. */
    long firstWithin(long from, long at, long ageNanos) {
        if (from == tail) {
            return from;
        }
        long[] chunk = chunk(from);
        if (!Times.isOlder(chunk[placeOf(from)], at, ageNanos)) {
            return from;
        }
        long next = from + 1; // one expires as another is acquired
        int place = placeOf(next);
        if (next == tail || !Times.isOlder(place == 0 ? time(next) : chunk[place], at, ageNanos)) {
            return next;
        }
        return first(TIMES, next + 1, at, ageNanos);
    }

    /** Returns the first entry from {@code from} on that is followed by at most {@code most} permits, or calls. */
    long firstFollowedBy(long most, int column, long from) {
        return sumFrom(column, from + 1) <= most ? from : first(column, from + 1, sum(column), most);
    }

    /**
     * Returns the first entry from {@code from} on with a value at most {@code distance} before {@code end}, or the
     * tail: doubles its steps, and bisects the last one.
     */
    private long first(int column, long from, long end, long distance) {
        long low = from;
        long high = from;
        for (long step = 1; high < tail && Times.isOlder(valueUpTo(column, high), end, distance); step *= 2) {
            low = high + 1;
            high = Math.min(high + step, tail);
        }
        while (low < high) {
            long middle = low + high >>> 1;
            if (Times.isOlder(valueUpTo(column, middle), end, distance)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the time of an entry, or a sum with the entry included. */
    private long valueUpTo(int column, long at) {
        return column == TIMES ? time(at) : before(column, at + 1);
    }

    /**
     * Returns for how long after {@code time} no chunk expires as a whole, if entries expire after {@code ageNanos}.
     */
    long nanosToNextChunk(long time, long ageNanos) {
        long next = firstOf(blockOf(head) + 1);
        return blocks != null && next <= tail ? ageNanos - (time - time(next - 1)) : ageNanos;
    }

    /** Returns whether the next entry needs another chunk. */
    boolean isFull() {
        return blocks == null ? tail - head == length : isFirstOfBlock(tail);
    }

    /** Returns whether {@link #put} can be called for one call. */
    boolean canPut(int morePermits) {
        return !isFull() && (morePermits == 1 || has(last, PERMITS));
    }

    /** Adds an entry, later than the newest one. */
    void append(long time, long morePermits, long moreCalls) {
        if (isFull()) {
            makeRoom();
        }
        if (moreCalls != 1 || morePermits != 1) {
            widen(tail, last, moreCalls == 1 ? PERMITS : CALLS);
        }
        put(time, morePermits, moreCalls);
    }

    /** Stores an entry, for which the last chunk has a place and the columns. */
    void put(long time, long morePermits, long moreCalls) {
        long at = tail;
        int places = length;
        long[] chunk = last;
        int place = placeOf(at);
        if (chunk.length >= 2 * places) {
            chunk[places + place] = permits - base(PERMITS, at); // not content until the tail is later
            if (chunk.length >= 3 * places) {
                chunk[2 * places + place] = calls - base(CALLS, at);
            }
        }
        chunk[place] = time;
        permits += morePermits;
        calls += moreCalls;
        tail = at + 1;
    }

    /** Returns whether {@link #addToNewest} can be called. */
    boolean canAddToNewest() {
        boolean isOther = blocks != null && isFirstOfBlock(tail); // the last chunk may be that of the tail
        return !isOther && has(last, CALLS);
    }

    /** Adds to the newest entry, whose chunk has the columns. */
    void addToNewest(int morePermits, int moreCalls) {
        permits += morePermits;
        calls += moreCalls;
    }

    /** Adds to the permits and to the calls of an entry; less than zero subtracts. */
    void change(long at, long morePermits, long moreCalls) {
        long[] chunk = widen(at, chunk(at), moreCalls == 0 ? PERMITS : CALLS);
        if (at + 1 != tail) {
            StackReserve.check(); // or some of the sums might be changed
            addToLater(PERMITS, at, chunk, morePermits);
            addToLater(CALLS, at, chunk, moreCalls);
        }
        permits += morePermits;
        calls += moreCalls;
    }

    /** Adds to the sums of a column before each later entry of the chunk, and before each later block. */
    private void addToLater(int column, long at, long[] chunk, long more) {
        if (more == 0) {
            return;
        }
        long end = blocks == null ? tail : Math.min(tail, firstOf(blockOf(at) + 1));
        int begin = column * length;
        addToRing(chunk, begin, begin + length, begin + placeOf(at + 1), (int) (end - at) - 1, more);
        if (blocks != null) {
            long[] sums = blocks.sums(column);
            int next = ChunkRing.placeOf(blockOf(at) + 1, sums.length);
            addToRing(sums, 0, sums.length, next, (int) (nextBlock() - blockOf(at)) - 1, more);
        }
    }

    /** Adds to so many values of a ring, from index {@code first} on. The ring is a part of the array. */
    private static void addToRing(long[] values, int begin, int end, int first, int number, long more) {
        // Two runs, since without a mask in the index the loop over a run adds to several values at once.
        int toEnd = Math.min(number, end - first);
        addToRun(values, first, first + toEnd, more);
        addToRun(values, begin, begin + number - toEnd, more);
    }

    private static void addToRun(long[] values, int from, int to, long more) {
        for (int i = from; i < to; i++) {
            values[i] += more;
        }
    }

    void removeBefore(long newHead) {
        long block = blockOf(head);
        head = newHead;
        if (blocks != null && blockOf(newHead) != block) {
            blocks.release(block, blockOf(newHead), nextBlock());
            fit();
        } else if (isSparse(tail - newHead)) {
            fit();
        }
    }

    void removeNewest() {
        long at = tail - 1;
        long permitsBefore = before(PERMITS, at);
        long callsBefore = before(CALLS, at);
        long[] chunk = at == head ? last : chunk(at - 1);
        if (blocks != null && isFirstOfBlock(at)) {
            blocks.releaseNewest(blockOf(head), blockOf(at));
        }

        last = chunk;
        permits = permitsBefore;
        calls = callsBefore;
        tail = at;
    }

    /** Returns a log of those entries that have permits, at other positions. */
    PermitLog compacted() {
        PermitLog compacted = new PermitLog();
        for (long at = head; at != tail; at++) {
            if (valueOf(PERMITS, at) != 0) {
                compacted.append(time(at), valueOf(PERMITS, at), valueOf(CALLS, at));
            }
        }
        return compacted;
    }

    /** Returns the times from a position on. */
    long[] timesFrom(long from) {
        long[] times = new long[Sizes.arrayLength(tail - from)];
        int run;
        for (int to = 0; to != times.length; to += run) {
            int place = placeOf(from + to);
            run = Math.min(length - place, times.length - to);
            System.arraycopy(chunk(from + to), place, times, to, run);
        }
        return times;
    }

    /** Returns the permits, or the calls, of each entry from a position on; {@code null} if each has one. */
    long @Nullable [] valuesFrom(int column, long from) {
        if (sumFrom(column, from) == tail - from) {
            return null; // no entry from here on has none
        }
        long[] values = new long[Sizes.arrayLength(tail - from)];
        long before = before(column, from);
        for (int to = 0; to != values.length; to++) {
            long next = before(column, from + to + 1);
            values[to] = next - before;
            before = next;
        }
        return values;
    }

    private void makeRoom() {
        if (blocks == null && length < LONGEST) {
            moveInto(2 * length);
            return;
        }
        ChunkRing blocks = this.blocks == null ? split() : this.blocks;
        long block = blockOf(tail);
        if (isFirstOfBlock(tail)) {
            blocks.makePlace(blockOf(head), block);
            long[] chunk = blocks.get(block);
            if (chunk == ChunkRing.NONE || chunk.length > LONGEST && hasOnes()) {
                chunk = new long[LONGEST];
                blocks.set(block, chunk);
            }
            blocks.setSums(block, permits, calls);
            last = chunk;
        }
    }

    /** Returns whether there are as many permits and calls as entries: a spare needs its columns no more. */
    private boolean hasOnes() {
        return sumFrom(PERMITS, head) == tail - head && sumFrom(CALLS, head) == tail - head;
    }

    /** Turns the full ring of {@link #LONGEST} entries into the chunks of the one or two blocks that it holds. */
    private ChunkRing split() {
        ChunkRing split = new ChunkRing();
        long newest = blockOf(tail - 1);
        long[] chunk = last.clone();
        addTo(split, newest, chunk);
        if (blockOf(head) != newest) { // the other's entries are in both, unused
            addTo(split, blockOf(head), last.clone());
        }
        last = chunk;
        blocks = split;
        return split;
    }

    /** Adds a block with the sums of a ring, which are relative to nothing, unless they are the positions. */
    private void addTo(ChunkRing split, long block, long[] chunk) {
        split.set(block, chunk);
        split.setSums(block, has(chunk, PERMITS) ? 0 : firstOf(block), has(chunk, CALLS) ? 0 : firstOf(block));
    }

    /** Returns the chunk of an entry, or of the tail, with the columns up to {@code column}. */
    private long[] widen(long at, long[] chunk, int column) {
        if (has(chunk, column)) {
            return chunk;
        }
        long[] wide = Arrays.copyOf(chunk, (column + 1) * length);
        for (int begin = chunk.length; begin < wide.length; begin += length) {
            fillWithPositions(wide, begin);
        }
        boolean isLast = chunk == last;
        if (blocks != null) {
            blocks.set(blockOf(at), wide);
        }
        if (isLast) {
            last = wide;
        }
        return wide;
    }

    /** Fills a new column with the sums of ones. */
    private void fillWithPositions(long[] chunk, int begin) {
        for (int place = 0; place < length; place++) {
            chunk[begin + place] = place;
        }
        if (blocks == null) {
            for (long at = head; at != tail; at++) {
                chunk[begin + placeOf(at)] = at;
            }
        }
    }

    /** Moves the entries, which fit, to a ring of {@code newLength}. */
    private void moveInto(int newLength) {
        int columns = columnsNeeded();
        long[] ring = new long[columns * newLength];
        for (long at = head; at != tail; at++) {
            int place = (int) at & newLength - 1;
            ring[place] = time(at);
            for (int column = PERMITS; column < columns; column++) {
                ring[column * newLength + place] = before(column, at);
            }
        }

        blocks = null;
        last = ring;
        length = newLength;
        permits = columns > PERMITS ? permits : tail;
        calls = columns > CALLS ? calls : tail;
    }

    private int columnsNeeded() {
        int columns = 1;
        for (long at = head; at != tail; at++) {
            if (valueOf(CALLS, at) != 1) {
                return 3;
            }
            columns = valueOf(PERMITS, at) == 1 ? columns : 2;
        }
        return columns;
    }

    /** Releases memory that is too much for the entries left. */
    void fit() {
        long size = tail - head;
        if (isSparse(size)) {
            moveInto(Math.max(SHORTEST, Integer.highestOneBit((int) size) << 2));
        } else if (blocks != null) {
            blocks.fit(blockOf(head), nextBlock());
        }
    }

    private boolean isSparse(long size) {
        return length > SMALL && size < length / 8;
    }

    /** Returns the index of a position in the columns of its chunk. */
    private int placeOf(long at) {
        return (int) at & length - 1;
    }

    /** Returns the number of the block of a position. */
    private static long blockOf(long at) {
        return at >>> SHIFT;
    }

    private static long firstOf(long block) {
        return block << SHIFT;
    }

    private static boolean isFirstOfBlock(long at) {
        return (at & LONGEST - 1) == 0;
    }

    /** Returns the first block without an entry. */
    private long nextBlock() {
        return blockOf(tail + LONGEST - 1);
    }

    private long[] chunk(long at) {
        return blocks == null ? last : blocks.get(blockOf(at));
    }

    private boolean has(long[] chunk, int column) {
        return chunk.length >= (column + 1) * length;
    }

    /** Returns what the sums in the chunk of an entry are relative to. */
    private long base(int column, long at) {
        return blocks == null ? 0 : blocks.sumBefore(column, blockOf(at));
    }

    void checkInvariants() {
        check(0 <= head && head <= tail, "head after tail");
        check(Integer.bitCount(length) == 1 && length <= LONGEST, "a length that is no power of two");
        check(!isSparse(tail - head), "too much room");
        if (blocks == null) {
            check(tail - head <= length, "more entries than places");
            check(has(last, PERMITS) || permits == tail, "permits that no column has");
            check(has(last, CALLS) || calls == tail, "calls that no column has");
        } else {
            check(length == LONGEST, "several short chunks");
            check(isFirstOfBlock(tail) || last == chunk(tail - 1), "the last chunk is another one");
            blocks.checkInvariants(blockOf(head), nextBlock());
        }
        for (long at = head; at != tail; at++) {
            check(at == head || time(at) - time(at - 1) > 0, "entries out of order");
            check(valueOf(PERMITS, at) >= 0, "negative permits");
        }
    }
}
