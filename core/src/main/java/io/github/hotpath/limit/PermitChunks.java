package io.github.hotpath.limit;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.internal.Sizes;
import java.util.Arrays;

/** The storage of a {@link PermitLog}: entries of a time, permits and calls in columns, by their positions. */
class PermitChunks extends PolledLock {
    /*
     * Positions count up with each entry added, and an entry keeps its position until it is removed, however the
     * storage changes below it. So a position is all that the cursor of a limit is.
     *
     * The storage is a directory of chunks, each a long[]. A small log is a ring in a single chunk, which grows by
     * being copied to one of twice the length. Beyond 1024 entries the upper bits of a position number its block, each
     * block has a chunk of its own that never moves, and the directory is a ring of them: growth copies no entries, and
     * what has expired is released chunk by chunk.
     *
     * A chunk has its columns one after another: times, permits, calls. Columns in which every entry has a one are
     * left out from the end, so an entry of one permit takes 8 bytes. A chunk of full length ends with the totals of
     * permits and calls, by which a search passes over it. They are known when its last entry has been added.
     *
     * Most grants only append one entry to a chunk that has a place for it: an open log has the position up to which
     * that is possible. Every other call closes the log first.
     *
     * Any allocation and any call can fail (the stack may overflow), so they precede the stores that change the
     * content. These follow one another without a call, the last of them in `tail`, so an entry has been added or
     * not. The storage is replaced in the same manner.
     */

    static final int TIMES = 0;
    static final int PERMITS = 1;
    static final int CALLS = 2;

    private static final int SHIFT = 10;

    /** The entries in a chunk of a log that has several: the length of a block. */
    static final int LONGEST = 1 << SHIFT;

    private static final int SHORTEST = 2;

    /** The room that a log keeps for any number of entries: in uneven traffic it would shrink and grow again. */
    private static final int SMALL = 32;

    private static final long[] NONE = {};
    private static final long[][] NO_DIRECTORY = {};

    /** The {@link #stop} of a closed log. */
    static final long CLOSED_LOG = Long.MIN_VALUE;

    /** The chunks, by the lower bits of their blocks: a power of two, or none if {@link #last} is the ring. */
    private long[][] chunks = NO_DIRECTORY;

    /**
     * The ring if that is the only chunk, or else, if the log is open, the chunk of the newest entry and of the tail.
     */
    private long[] last = new long[SHORTEST];

    /** The log is open for entries before this position, so that the tail is in {@link #last}. */
    long stop = CLOSED_LOG;

    /** The entries in a chunk: a power of two, {@link #LONGEST} if there are several chunks. */
    private int length = SHORTEST;

    /** A chunk for reuse, so that steady traffic allocates nothing; {@link #NONE} if there is none. */
    private long[] spare = NONE;

    /** The position of the oldest entry: {@code 0 <= head <= tail}. */
    private long head;

    /** The position after the newest entry, which has not been cancelled. */
    private long tail;

    /** Whether entries have a column of calls. Otherwise they count as one each, and nothing reads them. */
    final boolean countsCalls;

    PermitChunks(boolean countsCalls) {
        this.countsCalls = countsCalls;
    }

    final long head() {
        return head;
    }

    final long tail() {
        return tail;
    }

    final long time(long at) {
        return chunk(at)[offset(at)];
    }

    /** Returns what the entry at {@code at} has in a column. */
    final long value(long at, int column) {
        long[] chunk = chunk(at);
        return has(chunk, column) ? chunk[column * length + offset(at)] : 1;
    }

    /** Returns what the entries have in a column. */
    final long[] copy(int column) {
        long[] copy = new long[Sizes.arrayLength(tail - head)];
        int to = 0;
        while (to != copy.length) {
            long at = head + to;
            long[] chunk = chunk(at);
            int run = Math.min(length - offset(at), copy.length - to);
            if (has(chunk, column)) {
                System.arraycopy(chunk, column * length + offset(at), copy, to, run);
            } else {
                Arrays.fill(copy, to, to + run, 1);
            }
            to += run;
        }
        return copy;
    }

    /** Whether {@code at} is the first of {@link #LONGEST} entries whose totals are known. */
    final boolean isBlock(long at) {
        return (at & LONGEST - 1) == 0 && isComplete(at);
    }

    /** Returns the sum of a column over the block that begins at {@code at}. */
    final long blockSum(long at, int column) {
        long[] chunk = chunk(at);
        return chunk[totals(chunk) + column];
    }

    /** Adds an entry at a time after the newest one. */
    final void append(long time, long permits, long calls) {
        long at = tail;
        if (!hasPlace(at)) {
            makePlace();
        }
        long[] chunk = chunk(at);
        if (calls != 1 && !has(chunk, CALLS) || permits != 1 && !has(chunk, PERMITS)) {
            chunk = widen(at, calls == 1 ? PERMITS : CALLS);
        }
        int offset = offset(at);
        chunk[offset] = time;
        if (has(chunk, PERMITS)) {
            chunk[length + offset] = permits;
            if (has(chunk, CALLS)) {
                chunk[2 * length + offset] = calls;
            }
        }
        if (offset == LONGEST - 1) {
            computeTotals(chunk);
        }
        tail = at + 1;
    }

    /** Adds to the permits and the calls of the entry at {@code at}. */
    final void change(long at, long permits, long calls) {
        boolean changesCalls = countsCalls && calls != 0;
        long[] chunk = widen(at, changesCalls ? CALLS : PERMITS);
        int place = length + offset(at);
        int totals = isComplete(at) ? totals(chunk) : 0;
        int stride = length;

        chunk[place] += permits;
        if (totals > 0) {
            chunk[totals + PERMITS] += permits;
        }
        if (changesCalls) {
            chunk[place + stride] += calls;
            if (totals > 0) {
                chunk[totals + CALLS] += calls;
            }
        }
    }

    /** Closes the log after {@link #open}. */
    final void close() {
        stop = CLOSED_LOG;
    }

    /** Opens the log for {@link #appendIfOpen}, for as many entries as there are places. */
    final void open() {
        if (isRing()) {
            stop = head + length;
        } else if (offset(tail) != 0) {
            last = chunk(tail);
            stop = tail | LONGEST - 1; // with the last one the totals have to be computed
        }
    }

    /** Adds permits, acquired by one call, at a time after the newest entry, if that takes no more than stores. */
    final boolean appendIfOpen(long time, long permits) {
        long at = tail;
        long[] chunk = last;
        int place = offset(at);
        int stride = length;
        if (at >= stop) {
            return false;
        }
        if (chunk.length >= 2 * stride) {
            chunk[stride + place] = permits;
            if (chunk.length >= 3 * stride) {
                chunk[2 * stride + place] = 1;
            }
        } else if (permits != 1) {
            return false;
        }
        chunk[place] = time;
        tail = at + 1;
        return true;
    }

    /** Adds permits, acquired by one call, to the newest entry, if that takes no more than stores. */
    final boolean addIfOpen(long permits) {
        long at = tail;
        long[] chunk = last;
        int place = offset(at - 1);
        int stride = length;
        if (at >= stop || !has(chunk, countsCalls ? CALLS : PERMITS)) {
            return false;
        }
        chunk[stride + place] += permits;
        if (countsCalls) {
            chunk[2 * stride + place]++;
        }
        return true;
    }

    /** Removes the entries before {@code newHead}. */
    final void dropBefore(long newHead) {
        if (newHead >>> SHIFT == head >>> SHIFT && !isSparse(tail - newHead)) {
            head = newHead;
        } else {
            dropAcross(newHead);
        }
    }

    /** The same where chunks may become free. */
    private void dropAcross(long newHead) {
        long block = head >>> SHIFT;
        head = newHead;
        if (!isRing()) {
            while (block < newHead >>> SHIFT) {
                release(block++);
            }
        }
        fit();
    }

    /** Removes the newest entry. */
    final void dropNewest() {
        tail--;
        if (!isRing() && (tail & LONGEST - 1) == 0) {
            release(tail >>> SHIFT);
        }
    }

    /** Removes all entries; {@link #fit} then releases their memory. */
    final void dropAll() {
        tail = head;
    }

    /** Releases chunks that no block has, after a call may have failed. */
    final void dropUnused() {
        if (!isRing()) {
            moveDirectory(chunks.length);
        }
    }

    /** Takes over the storage of {@code other}, which is not used any more. */
    final void become(PermitChunks other) {
        chunks = other.chunks;
        last = other.last;
        length = other.length;
        spare = NONE;
        head = other.head;
        tail = other.tail;
    }

    /** Whether there is a place for an entry at {@code at}, which is the tail. */
    private boolean hasPlace(long at) {
        return isRing() ? at - head != length : offset(at) != 0;
    }

    /** Makes a place at the tail. */
    private void makePlace() {
        if (isRing()) {
            if (length < LONGEST) {
                moveInto(2 * length);
                return;
            }
            split();
        }
        if (offset(tail) == 0) {
            if (blocks() > chunks.length) {
                moveDirectory(2 * chunks.length);
            }
            int place = place(tail);
            if (chunks[place] == NONE) {
                chunks[place] = spare == NONE ? newChunk(LONGEST, 1) : spare;
                spare = NONE;
            }
        }
    }

    /** Returns the chunk of the entry at {@code at}, after adding a column to it. */
    private long[] widen(long at, int column) {
        long[] chunk = chunk(at);
        if (has(chunk, column)) {
            return chunk;
        }
        long[] wide = newChunk(length, column + 1);
        int filled = chunk.length / length * length;
        System.arraycopy(chunk, 0, wide, 0, filled);
        Arrays.fill(wide, filled, (column + 1) * length, 1);
        System.arraycopy(chunk, filled, wide, (column + 1) * length, chunk.length - filled);
        if (isRing()) {
            last = wide;
        } else {
            chunks[place(at)] = wide;
        }
        return wide;
    }

    /** Turns the full ring of {@link #LONGEST} entries into the chunks of the one or two blocks that it holds. */
    private void split() {
        long[][] directory = newDirectory(2);
        long[] chunk = last;
        computeTotals(chunk);
        directory[(int) (tail - 1 >>> SHIFT) & 1] = chunk.clone(); // each has the other's entries as well, unused
        directory[(int) (head >>> SHIFT) & 1] = chunk;
        chunks = directory;
    }

    private void moveDirectory(int newLength) {
        long[][] directory = newDirectory(newLength);
        for (long block = head >>> SHIFT; block <= tail - 1 >>> SHIFT; block++) {
            directory[(int) block & newLength - 1] = chunks[(int) block & chunks.length - 1];
        }
        chunks = directory;
    }

    /** Moves the entries, which fit, to a ring of {@code newLength}. */
    private void moveInto(int newLength) {
        int columns = columnsNeeded();
        long[] ring = newChunk(newLength, columns);
        for (int column = 0; column < columns; column++) {
            for (long at = head; at != tail; at++) {
                ring[column * newLength + ((int) at & newLength - 1)] = value(at, column);
            }
        }
        chunks = NO_DIRECTORY;
        last = ring;
        length = newLength;
        spare = NONE;
    }

    private int columnsNeeded() {
        int columns = 1;
        for (long at = head; at != tail; at++) {
            if (value(at, CALLS) != 1) {
                return 3;
            }
            columns = value(at, PERMITS) == 1 ? columns : 2;
        }
        return columns;
    }

    /** Whether there is too much room in the chunks for {@code size} entries. */
    private boolean isSparse(long size) {
        return length > SMALL && size < length / 8;
    }

    /** Releases memory that is too much for the entries left. */
    final void fit() {
        long size = tail - head;
        if (isSparse(size)) {
            moveInto(Math.max(SHORTEST, Integer.highestOneBit((int) size) << 2));
        } else if (blocks() < chunks.length / 8) { // never of a ring
            moveDirectory(chunks.length / 4);
        }
    }

    /** The number of blocks from that of the head to that of the place at the tail. */
    private long blocks() {
        return (tail >>> SHIFT) - (head >>> SHIFT) + 1;
    }

    private void release(long block) {
        int place = (int) block & chunks.length - 1;
        spare = chunks[place];
        chunks[place] = NONE;
    }

    /** Whether the block of an entry has no place left for others, so that its totals are known. */
    private boolean isComplete(long at) {
        return at >>> SHIFT != tail >>> SHIFT && !isRing();
    }

    /** Whether there is a single chunk. */
    private boolean isRing() {
        return chunks.length == 0;
    }

    private long[] chunk(long at) {
        return isRing() ? last : chunks[place(at)];
    }

    private int place(long at) {
        return (int) (at >>> SHIFT) & chunks.length - 1;
    }

    private int offset(long at) {
        return (int) at & length - 1;
    }

    private boolean has(long[] chunk, int column) {
        return chunk.length >= (column + 1) * length;
    }

    private static long[] newChunk(int length, int columns) {
        return new long[columns * length + (length == LONGEST ? 2 : 0)];
    }

    private static long[][] newDirectory(int length) {
        long[][] directory = new long[length][];
        Arrays.fill(directory, NONE);
        return directory;
    }

    /** The index at which the totals of a chunk of full length would begin if times had a total, too. */
    private static int totals(long[] chunk) {
        return chunk.length - 3;
    }

    private void computeTotals(long[] chunk) {
        for (int column = PERMITS; column <= CALLS; column++) {
            long total = LONGEST;
            if (has(chunk, column)) {
                total = 0;
                for (int i = column * LONGEST; i < (column + 1) * LONGEST; i++) {
                    total += chunk[i];
                }
            }
            chunk[totals(chunk) + column] = total;
        }
    }

    /** Throws if an invariant of the storage does not hold; for tests. */
    final void checkStorage() {
        check(0 <= head && head <= tail, "head after tail");
        check(Integer.bitCount(chunks.length) <= 1, "a directory that is no power of two");
        check(isRing() || length == LONGEST, "several short chunks");
        check(!isRing() || tail - head <= length && spare == NONE, "more entries than places, or a spare");
        check(isRing() || blocks() <= chunks.length + 1, "more blocks than places");
        check(!isSparse(tail - head) && blocks() >= chunks.length / 8, "too much room");
        checkDirectory();
    }

    /** Throws if the log is open for entries without a place; for tests. */
    final void checkOpen(long lastSlot) {
        boolean open = stop != CLOSED_LOG;
        check(!open || tail <= stop && stop - head <= (isRing() ? length : stop), "open without places");
        check(!open || head != tail && time(tail - 1) == lastSlot, "open without an entry at the last slot");
        check(!open || last == chunk(tail) && (isRing() || last == chunk(tail - 1)), "open at another chunk");
    }

    private void checkDirectory() {
        int used = 0;
        for (long[] chunk : isRing() ? new long[][] {last} : chunks) {
            used += chunk == NONE ? 0 : 1;
            check(chunk == NONE || chunk.length / length <= (countsCalls ? 3 : 2), "a column too many");
        }
        long needed = isRing() ? 1 : blocks() - ((tail & LONGEST - 1) == 0 ? 1 : 0);
        check(used == needed, "chunks that no block has");
        for (long at = head + LONGEST - 1 & -LONGEST; at < tail && isBlock(at); at += LONGEST) {
            for (int column = PERMITS; column <= CALLS; column++) {
                long total = 0;
                for (int i = 0; i < LONGEST; i++) {
                    total += value(at + i, column);
                }
                check(total == blockSum(at, column), "a wrong total");
            }
        }
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
