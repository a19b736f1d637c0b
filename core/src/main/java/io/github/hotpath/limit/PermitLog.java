package io.github.hotpath.limit;

import static io.github.hotpath.internal.Invariants.check;

import io.github.hotpath.internal.Sizes;
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
     * sums begin with does not matter.
     *
     * Up to 1024 entries are in one chunk, a ring that grows by being copied to one of twice the length. In a longer
     * log the upper bits of a position are the number of its block, and each block has a chunk of its own.
     *
     * A chunk has columns one after another: times, permits, calls. Columns are left out from the end while each entry
     * of the chunk has a one there: an entry of one permit takes 8 bytes. The sums in a block are relative to those
     * before the block, which are side by side, so that a correction adds to the rest of one block and to these.
     *
     * Any call and any allocation can fail, since the stack may overflow and memory may end. So they precede the stores
     * that change the content, and these follow one another without a call.
     */

    /** The column of times. */
    private static final int TIMES = 0;

    /** The column with the number of permits before each entry. */
    static final int PERMITS = 1;

    /** The column with the number of calls before each entry. */
    static final int CALLS = 2;

    private static final int SHIFT = 10;

    /** The entries of a block, and of the longest ring. */
    private static final int LONGEST = 1 << SHIFT;

    private static final int SHORTEST = 2;

    /** A ring of this length is not replaced by a shorter one: in uneven traffic it would grow again. */
    private static final int SMALL = 32;

    /** The sums before the blocks of a log that has none. */
    private static final long[] NO_BLOCKS = {};

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

    /** The number of permits before the tail. It may overflow, until {@link #rebase} begins with 0 again. */
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
        return chunk(at)[(int) at & length - 1];
    }

    /** Returns whether the newest entry is at {@code time}. */
    boolean endsAt(long time) {
        return head != tail && time(tail - 1) == time;
    }

    /** Returns the permits, or the calls, from a position on. */
    long sumFrom(int column, long at) {
        return sum(column) - before(column, at);
    }

    /**
     * Returns whether permits can be added without an overflow of a sum, as always but once in 2^63 permits. If not,
     * those that count may be few: the sum includes what has expired.
     */
    boolean hasRoomFor(int more) {
        return permits + more >= 0;
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
        int offset = (int) at & length - 1;
        boolean stored = has(chunk, column);
        if (blocks == null) {
            return stored ? chunk[column * length + offset] : at;
        }
        return base(column, at) + (stored ? chunk[column * length + offset] : offset);
    }

    /** Returns the first entry from {@code from} on that is at most {@code ageNanos} old, or the tail. */
    long firstWithin(long from, long at, long ageNanos) {
        if (from == tail || !Times.isOlder(time(from), at, ageNanos)) {
            return from;
        }
        long next = from + 1; // one expires as another is acquired
        if (next == tail || !Times.isOlder(time(next), at, ageNanos)) {
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
        long lastOfChunk = head | LONGEST - 1;
        return blocks != null && lastOfChunk < tail ? ageNanos - (time - time(lastOfChunk)) : ageNanos;
    }

    /** Returns whether the next entry needs another chunk. */
    boolean isFull() {
        return blocks == null ? tail - head == length : (tail & LONGEST - 1) == 0;
    }

    /** Returns whether {@link #put} can be called for one call. */
    boolean canPut(int morePermits) {
        return !isFull() && (morePermits == 1 || has(last, PERMITS)) && hasRoomFor(morePermits);
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
        int offset = (int) at & places - 1;
        if (chunk.length >= 2 * places) {
            chunk[places + offset] = permits - base(PERMITS, at); // not content until the tail is later
            if (chunk.length >= 3 * places) {
                chunk[2 * places + offset] = calls - base(CALLS, at);
            }
        }
        chunk[offset] = time;
        permits += morePermits;
        calls += moreCalls;
        tail = at + 1;
    }

    /** Returns whether {@link #addToNewest} can be called. */
    boolean canAddToNewest(int morePermits, int moreCalls) {
        boolean isOther = blocks != null && (tail & LONGEST - 1) == 0; // the last chunk may be that of the tail
        return !isOther && has(last, moreCalls == 0 ? PERMITS : CALLS) && hasRoomFor(morePermits);
    }

    /** Adds to the newest entry, whose chunk has the columns. */
    void addToNewest(int morePermits, int moreCalls) {
        permits += morePermits;
        calls += moreCalls;
    }

    /** Adds to the permits and to the calls of an entry; less than zero subtracts. */
    void change(long at, long morePermits, long moreCalls) {
        long[] chunk = widen(at, chunk(at), moreCalls == 0 ? PERMITS : CALLS);
        int places = length;
        long[] blockPermits = blocks == null ? NO_BLOCKS : blocks.sums(PERMITS);
        long[] blockCalls = blocks == null ? NO_BLOCKS : blocks.sums(CALLS);
        int blocksLater = blocks == null ? 0 : (int) (nextBlock() - (at >>> SHIFT)) - 1;
        int laterInChunk = (int) ((blocksLater == 0 ? tail : (at | LONGEST - 1) + 1) - at) - 1;

        // The places of later entries, and of later blocks, are in up to two runs: without a mask in the index, the
        // loop over a run adds to several places at once.
        for (int column = PERMITS; column <= CALLS; column++) {
            long more = column == PERMITS ? morePermits : moreCalls;
            int begin = column * places;
            int from = (int) (at + 1) & places - 1;
            for (int left = more == 0 ? 0 : laterInChunk; left > 0; from = 0) {
                int to = left < places - from ? from + left : places;
                for (int i = begin + from; i < begin + to; i++) {
                    chunk[i] += more;
                }
                left -= to - from;
            }
            long[] sums = column == PERMITS ? blockPermits : blockCalls;
            from = (int) (at + LONGEST >>> SHIFT) & sums.length - 1;
            for (int left = more == 0 ? 0 : blocksLater; left > 0; from = 0) {
                int to = left < sums.length - from ? from + left : sums.length;
                for (int i = from; i < to; i++) {
                    sums[i] += more;
                }
                left -= to - from;
            }
        }
        permits += morePermits;
        calls += moreCalls;
    }

    /** Begins the sum of permits with 0 again, if it has overflowed. */
    void rebase() {
        if (permits >= 0) {
            return;
        }
        long less = before(PERMITS, head);
        int places = length;
        long[] ring = last;
        long[] blockPermits = blocks == null ? NO_BLOCKS : blocks.sums(PERMITS);
        long end = blocks == null ? tail : head;
        long nextBlock = blocks == null ? head >>> SHIFT : nextBlock();

        for (long at = head; at != end; at++) { // a ring has the column: without it the sum is the position
            ring[places + ((int) at & places - 1)] -= less;
        }
        for (long block = head >>> SHIFT; block < nextBlock; block++) {
            blockPermits[(int) block & blockPermits.length - 1] -= less;
        }
        permits -= less;
    }

    /** Removes the entries before {@code newHead}. */
    void removeBefore(long newHead) {
        long block = head >>> SHIFT;
        head = newHead;
        if (blocks != null && newHead >>> SHIFT != block) {
            blocks.release(block, newHead >>> SHIFT, nextBlock());
        }
        fit();
    }

    /** Removes the newest entry. */
    void removeNewest() {
        long at = tail - 1;
        long permitsBefore = before(PERMITS, at);
        long callsBefore = before(CALLS, at);
        long[] chunk = at == head ? last : chunk(at - 1);
        if (blocks != null && (at & LONGEST - 1) == 0) {
            blocks.releaseNewest(head >>> SHIFT, at >>> SHIFT);
        }

        last = chunk;
        permits = permitsBefore;
        calls = callsBefore;
        tail = at;
    }

    /** Returns a log of those entries that have permits, each one call unless they are counted, at other positions. */
    PermitLog compacted(boolean countsCalls) {
        PermitLog compacted = new PermitLog();
        for (long at = head; at != tail; at++) {
            if (valueOf(PERMITS, at) != 0) {
                compacted.append(time(at), valueOf(PERMITS, at), countsCalls ? valueOf(CALLS, at) : 1);
            }
        }
        return compacted;
    }

    /** Returns the times from a position on. */
    long[] timesFrom(long from) {
        long[] times = new long[Sizes.arrayLength(tail - from)];
        int run;
        for (int to = 0; to != times.length; to += run) {
            int offset = (int) (from + to) & length - 1;
            run = Math.min(length - offset, times.length - to);
            System.arraycopy(chunk(from + to), offset, times, to, run);
        }
        return times;
    }

    /** Returns the permits, or the calls, of each entry from a position on. */
    long[] valuesFrom(int column, long from) {
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
        long block = tail >>> SHIFT;
        if ((tail & LONGEST - 1) == 0) {
            blocks.makePlace(head >>> SHIFT, block);
            long[] chunk = blocks.get(block);
            if (chunk == ChunkRing.NONE) {
                chunk = new long[LONGEST];
                blocks.set(block, chunk);
            }
            blocks.setSums(block, permits, calls);
            last = chunk;
        }
    }

    /** Turns the full ring of {@link #LONGEST} entries into the chunks of the one or two blocks that it holds. */
    private ChunkRing split() {
        ChunkRing split = new ChunkRing();
        long newest = tail - 1 >>> SHIFT;
        long[] chunk = last.clone();
        addTo(split, newest, chunk);
        if (head >>> SHIFT != newest) { // the other's entries are in both, unused
            addTo(split, head >>> SHIFT, last.clone());
        }
        last = chunk;
        blocks = split;
        return split;
    }

    /** Adds a block with the sums of a ring, which are relative to nothing, unless they are the positions. */
    private void addTo(ChunkRing split, long block, long[] chunk) {
        split.set(block, chunk);
        split.setSums(block, has(chunk, PERMITS) ? 0 : block << SHIFT, has(chunk, CALLS) ? 0 : block << SHIFT);
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
            blocks.set(at >>> SHIFT, wide);
        }
        if (isLast) {
            last = wide;
        }
        return wide;
    }

    /** Fills a new column with the sums of ones. */
    private void fillWithPositions(long[] chunk, int begin) {
        for (int offset = 0; offset < length; offset++) {
            chunk[begin + offset] = offset;
        }
        if (blocks == null) {
            for (long at = head; at != tail; at++) {
                chunk[begin + ((int) at & length - 1)] = at;
            }
        }
    }

    /** Moves the entries, which fit, to a ring of {@code newLength}. */
    private void moveInto(int newLength) {
        int columns = columnsNeeded();
        long[] ring = new long[columns * newLength];
        for (long at = head; at != tail; at++) {
            int offset = (int) at & newLength - 1;
            ring[offset] = time(at);
            for (int column = PERMITS; column < columns; column++) {
                ring[column * newLength + offset] = before(column, at);
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
            blocks.fit(head >>> SHIFT, nextBlock());
        }
    }

    private boolean isSparse(long size) {
        return length > SMALL && size < length / 8;
    }

    /** Returns the first block without an entry. */
    private long nextBlock() {
        return tail + LONGEST - 1 >>> SHIFT;
    }

    private long[] chunk(long at) {
        return blocks == null ? last : blocks.get(at >>> SHIFT);
    }

    private boolean has(long[] chunk, int column) {
        return chunk.length >= (column + 1) * length;
    }

    /** Returns what the sums in the chunk of an entry are relative to. */
    private long base(int column, long at) {
        return blocks == null ? 0 : blocks.sumBefore(column, at >>> SHIFT);
    }

    /** Throws if an invariant does not hold; for tests. */
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
            check((tail & LONGEST - 1) == 0 || last == chunk(tail - 1), "the last chunk is another one");
            blocks.checkInvariants(head >>> SHIFT, nextBlock());
        }
        for (long at = head; at != tail; at++) {
            check(at == head || time(at) - time(at - 1) > 0, "entries out of order");
            check(valueOf(PERMITS, at) >= 0, "negative permits");
        }
    }
}
