package io.github.hotpath.limit;

import static io.github.hotpath.internal.Invariants.check;

import java.util.Arrays;

/**
 * The chunks of a log that has several, by the numbers of their blocks, with the sums before each block: a ring that
 * grows. Not thread-safe.
 */
final class ChunkRing {
    /*
     * The blocks of a log are consecutive, so the lower bits of a block's number are its place. A chunk stays at its
     * place while its block is in use: growth copies references, and no entries.
     *
     * The place after the newest block may hold a spare, a chunk that has been released and is used again. So may other
     * places, if an error has interrupted a release.
     *
     * The sums are beside each other, not with their chunks, for a correction adds to those of all later blocks.
     */

    static final long[] NONE = {};

    private static final int SHORTEST = 2;

    /** By place, of which there is a power of two; {@link #NONE} where no chunk is. */
    private long[][] chunks = places(SHORTEST);

    /** How many of the chunks have columns beside the times. */
    private int wide;

    /** By place, the number of permits before the block. */
    private long[] permits = new long[SHORTEST];

    /** By place, the number of calls before the block. */
    private long[] calls = new long[SHORTEST];

    private static long[][] places(int length) {
        long[][] places = new long[length][];
        Arrays.fill(places, NONE);
        return places;
    }

    /** Returns the place of a block among so many, a power of two. */
    static int placeOf(long block, int places) {
        return (int) block & places - 1;
    }

    long[] get(long block) {
        return chunks[placeOf(block, chunks.length)];
    }

    void set(long block, long[] chunk) {
        int place = placeOf(block, chunks.length);
        int nowWide = wide + wide(chunk) - wide(chunks[place]);

        wide = nowWide;
        chunks[place] = chunk;
    }

    private static int wide(long[] chunk) {
        return chunk.length > PermitLog.LONGEST ? 1 : 0;
    }

    /** Returns whether each entry is one permit of one call, as all are of which a chunk has only the times. */
    boolean hasOnlyTimes() {
        return wide == 0;
    }

    /** Returns the permits, or the calls, before each block, by place. */
    long[] sums(int column) {
        return column == PermitLog.PERMITS ? permits : calls;
    }

    long sumBefore(int column, long block) {
        long[] sums = sums(column);
        return sums[placeOf(block, sums.length)];
    }

    void setSums(long block, long permitsBefore, long callsBefore) {
        permits[placeOf(block, permits.length)] = permitsBefore;
        calls[placeOf(block, calls.length)] = callsBefore;
    }

    /** Makes a place for block {@code next} beside the blocks from {@code first} on. */
    void makePlace(long first, long next) {
        if (next - first == chunks.length) {
            resize(2 * chunks.length, first, next);
        }
    }

    /** Releases the chunks of blocks from {@code from} to before {@code to}; one becomes the spare for {@code next}. */
    void release(long from, long to, long next) {
        long[] spare = get(to - 1);
        for (long block = from; block != to; block++) {
            set(block, NONE);
        }
        set(next, spare);
    }

    /** Turns the chunk of the newest block into the spare. */
    void releaseNewest(long first, long newest) {
        if (newest + 1 - first < chunks.length) {
            set(newest + 1, NONE);
        }
    }

    /** Releases places if the blocks from {@code first} to before {@code next} need few of them. */
    void fit(long first, long next) {
        if (next - first < chunks.length / 8) {
            resize(chunks.length / 4, first, next);
        }
    }

    private void resize(int length, long first, long next) {
        long[][] resized = places(length);
        long[] resizedPermits = new long[length];
        long[] resizedCalls = new long[length];
        int resizedWide = 0; // without the spare
        for (long block = first; block != next; block++) {
            int place = placeOf(block, length);
            resized[place] = get(block);
            resizedWide += wide(resized[place]);
            resizedPermits[place] = sumBefore(PermitLog.PERMITS, block);
            resizedCalls[place] = sumBefore(PermitLog.CALLS, block);
        }

        chunks = resized; // nothing fails between these stores
        wide = resizedWide;
        permits = resizedPermits;
        calls = resizedCalls;
    }

    void checkInvariants(long first, long next) {
        int used = 0;
        int wide = 0;
        for (long[] chunk : chunks) {
            used += chunk == NONE ? 0 : 1;
            wide += wide(chunk);
        }
        check(wide == this.wide, "another number of chunks with columns");
        for (long block = first; block != next; block++) {
            used -= get(block) == NONE ? 2 : 1;
        }
        check(used == 0 || used == 1, "a block without a chunk, or chunks that no block has");
        check(next - first <= chunks.length && next - first >= chunks.length / 8, "too few places, or too many");
    }
}
