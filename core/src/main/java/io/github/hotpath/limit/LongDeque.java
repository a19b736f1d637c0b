package io.github.hotpath.limit;

import io.github.hotpath.internal.Times;
import java.util.Arrays;

/**
 * Numbers by their positions, which count up: added at the tail, removed at the head. A number takes 8 bytes. Not
 * thread-safe.
 */
final class LongDeque {
    /*
     * Up to 1024 numbers are in one block, a ring that grows by being copied to one of twice the length. In a longer
     * deque the upper bits of a position are the number of its block, and the lower ones its place in the block. The
     * blocks are in a ring by the lower bits of their numbers: growth copies references and no numbers, and a block is
     * released when the head has left it. The place after the newest block may hold a spare, to be used again.
     */

    private static final int SHIFT = 10;

    /** The length of a block, and of the longest ring. */
    static final int LONGEST = 1 << SHIFT;

    private static final int SHORTEST = 4;

    /** A ring of this length is not replaced by a shorter one: in uneven traffic it would grow again. */
    private static final int SMALL = 32;

    private static final long[] NONE = {};
    private static final long[][] NO_BLOCKS = {};

    /** The position of the first number. */
    private long head;

    /** The position after the last number. */
    private long tail;

    /** Up to this position {@link #last} has room. */
    private long roomEnd;

    /** The ring, or the block of the tail or of the number before it. */
    private long[] last = new long[SHORTEST];

    /** By the lower bits of their numbers, {@link #NONE} where there is none: a power of two. Empty if there is a ring. */
    private long[][] blocks = NO_BLOCKS;

    /** The length of a block, a power of two, less 1. */
    private int mask = SHORTEST - 1;

    /** Creates an empty deque, whose first number will be at {@code head}. */
    LongDeque(long head) {
        this.head = head;
        tail = head;
        roomEnd = head + SHORTEST;
    }

    /** Creates a deque in which the number at each position up to {@code tail} is the position. */
    LongDeque(long head, long tail) {
        this(head);
        while (this.tail != tail) {
            if (this.tail == roomEnd) {
                makeRoom();
            }
            int place = (int) this.tail & mask;
            int number = (int) Math.min(mask + 1 - place, Math.min(roomEnd, tail) - this.tail);
            for (int i = 0; i < number; i++) {
                last[place + i] = this.tail + i;
            }
            this.tail += number;
        }
    }

    long head() {
        return head;
    }

    long tail() {
        return tail;
    }

    /** Returns whether the next number needs another block, or a longer ring. */
    boolean isFull() {
        return tail == roomEnd && (blocks.length != 0 || tail - head > mask);
    }

    /** Returns the number at a position from the head to before the tail. */
    long get(long at) {
        return block(at)[(int) at & mask];
    }

    private long[] block(long at) {
        long[][] blocks = this.blocks;
        return blocks.length == 0 ? last : blocks[(int) (at >>> SHIFT) & blocks.length - 1];
    }

    /** Adds a number at the tail. */
    void add(long value) {
        if (tail == roomEnd) {
            makeRoom();
        }
        last[(int) tail & mask] = value;
        tail++;
    }

    private void makeRoom() {
        if (blocks.length == 0) {
            if (tail - head <= mask) {
                roomEnd = head + mask + 1;
                return;
            }
            if (mask + 1 < LONGEST) {
                moveInto(2 * (mask + 1));
                return;
            }
            split();
        }
        if ((tail & mask) == 0) {
            if ((tail >>> SHIFT) - (head >>> SHIFT) == blocks.length) {
                resize(2 * blocks.length);
            }
            int place = (int) (tail >>> SHIFT) & blocks.length - 1;
            blocks[place] = blocks[place] == NONE ? new long[LONGEST] : blocks[place];
            last = blocks[place];
        }
        roomEnd = (tail | mask) + 1;
    }

    /** Turns the full ring into the one or two blocks of which it has parts. */
    private void split() {
        long[][] split = places(4);
        split[(int) (head >>> SHIFT) & 3] = last;
        if ((tail & mask) != 0) {
            last = last.clone();
            split[(int) (tail >>> SHIFT) & 3] = last;
        }
        blocks = split;
    }

    private static long[][] places(int length) {
        long[][] places = new long[length][];
        Arrays.fill(places, NONE);
        return places;
    }

    /** Moves the blocks to a ring of {@code length}. */
    private void resize(int length) {
        long[][] resized = places(length);
        for (long at = head & ~mask; at < tail; at += LONGEST) {
            resized[(int) (at >>> SHIFT) & length - 1] = block(at);
        }
        blocks = resized;
    }

    /** Moves all numbers, which fit, to a ring of {@code length}. */
    private void moveInto(int length) {
        long[] ring = new long[length];
        for (long at = head; at != tail; at++) {
            ring[(int) at & length - 1] = get(at);
        }
        blocks = NO_BLOCKS;
        last = ring;
        mask = length - 1;
        roomEnd = head + length;
    }

    /** Removes the numbers before a position. */
    void removeBefore(long newHead) {
        long oldHead = head;
        head = newHead;
        if (blocks.length != 0 && (oldHead ^ newHead) > mask) {
            release(oldHead);
        }
        if (mask >= SMALL && tail - newHead < (mask + 1) / 8) {
            moveInto(Math.max(SHORTEST, Integer.highestOneBit((int) (tail - head)) << 2));
        }
    }

    /** Releases the blocks from that of {@code oldHead} to before that of the head; one becomes the spare. */
    private void release(long oldHead) {
        long next = (tail - 1 >>> SHIFT) + 1;
        for (long at = oldHead & ~mask; at < (head & ~mask); at += LONGEST) {
            int place = (int) (at >>> SHIFT) & blocks.length - 1;
            long[] released = blocks[place];
            blocks[place] = NONE;
            blocks[(int) next & blocks.length - 1] = released;
        }
        if ((tail - head) / LONGEST < blocks.length / 8) {
            resize(blocks.length / 4);
        }
    }

    /** Adds to all numbers from a position on. */
    void addToAll(long from, long more) {
        for (long at = from; at < tail; ) {
            long[] block = block(at);
            int begin = (int) at & mask;
            int end = (int) Math.min(mask + 1L, begin + (tail - at));
            for (int place = begin; place < end; place++) {
                block[place] += more;
            }
            at += end - begin;
        }
    }

    /** Removes the number at a position. Those behind it move down. */
    void remove(long at) {
        for (long to = at; to != tail - 1; ) {
            long[] block = block(to);
            int place = (int) to & mask;
            if (place == mask) {
                block[place] = get(to + 1);
                to++;
            } else {
                int number = (int) Math.min(mask - place, tail - 1 - to);
                System.arraycopy(block, place + 1, block, place, number);
                to += number;
            }
        }
        tail--;
        if (blocks.length != 0) {
            boolean isFirst = (tail & mask) == 0; // its block is the spare
            last = isFirst ? last : block(tail);
            roomEnd = isFirst ? tail : (tail | mask) + 1;
        }
        removeBefore(head);
    }

    /** Copies the numbers from a position on to an array that has room for them. */
    void copyTo(long from, long[] array) {
        for (long at = from; at < tail; ) {
            int place = (int) at & mask;
            int number = (int) Math.min(mask + 1 - place, tail - at);
            System.arraycopy(block(at), place, array, (int) (at - from), number);
            at += number;
        }
    }

    /**
     * Returns the first position from {@code from} on whose number is at most {@code distance} before {@code end}, or
     * the tail. The numbers ascend up to {@code end}; distances are unsigned. Most often it is the first or the second
     * one. So it doubles its steps, and bisects the last one.
     */
    long firstWithin(long from, long end, long distance) {
        if (from == tail || !Times.isOlder(get(from), end, distance)) {
            return from;
        }
        long low = from + 1;
        long high = low;
        for (long step = 1; high < tail && Times.isOlder(get(high), end, distance); step *= 2) {
            low = high + 1;
            high = Math.min(high + step, tail);
        }
        while (low < high) {
            long middle = low + high >>> 1;
            if (Times.isOlder(get(middle), end, distance)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
