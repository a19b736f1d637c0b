package io.github.hotpath.window;

import static io.github.hotpath.internal.Times.isOlder;
import static io.github.hotpath.window.Chunks.MAX_LENGTH;
import static io.github.hotpath.window.Chunks.MIN_LENGTH;
import static io.github.hotpath.window.Chunks.firstWithin;

import java.util.ArrayList;
import java.util.Arrays;

/** The events of a window that came too late to be inserted in the last chunk of its log. Not thread-safe. */
final class LateEvents {
    /*
     * Chunks in order, each with events in order, like the leaves of a B-tree: an event is inserted in its chunk, and a
     * full chunk is split into halves. So each is half full or more, but for the oldest one, which expires, and an event
     * moves others of one chunk at most, in whatever order events arrive. The halves have no room until another event
     * comes: a source that is in order, forwards or backwards, fills them and comes no more.
     */

    private static final int HALF = MAX_LENGTH / 2;

    /** Never empty, but when the last event has expired. */
    final ArrayList<Chunk> chunks = new ArrayList<>(1);

    /** The number of events. */
    long size = 1;

    static final class Chunk {
        long[] times;

        /** The index of the oldest event: more than 0 in the oldest chunk alone. */
        int head;

        /** The index of the next event. */
        int tail;

        Chunk(long[] times, int tail) {
            this.times = times;
            this.tail = tail;
        }

        /** Returns the first index whose event is within {@code maxAge} at {@code nanos}, or the tail. */
        int firstIndexWithin(long nanos, long maxAge) {
            return isOlder(times[tail - 1], nanos, maxAge) ? tail : firstWithin(times, head, tail, nanos, maxAge);
        }

        void insert(int place, long nanos) {
            if (head > 0) {
                System.arraycopy(times, head, times, head - 1, place - head);
                head--;
                times[place - 1] = nanos;
                return;
            }
            if (tail == times.length) {
                times = Arrays.copyOf(times, 2 * tail);
            }
            System.arraycopy(times, place, times, place + 1, tail - place);
            times[place] = nanos;
            tail++;
        }

        /** Moves the newer half of a full chunk to a new one, and returns that. */
        Chunk split() {
            Chunk newer = new Chunk(Arrays.copyOfRange(times, HALF, MAX_LENGTH), HALF);
            times = Arrays.copyOf(times, HALF);
            tail = HALF;
            return newer;
        }
    }

    /** With one event, at {@code nanos}. */
    LateEvents(long nanos) {
        long[] times = new long[MIN_LENGTH];
        times[0] = nanos;
        chunks.add(new Chunk(times, 1));
    }

    /** Adds an event at {@code nanos}, earlier than {@code latest}. None has expired then. */
    void add(long nanos, long latest) {
        long age = latest - nanos - 1; // within this age are the events that are later
        int index = chunkOf(latest, age);
        Chunk chunk = chunks.get(index);
        int place = chunk.firstIndexWithin(latest, age);
        size++;
        if (chunk.tail - chunk.head < MAX_LENGTH) {
            chunk.insert(place, nanos);
        } else {
            Chunk newer = chunk.split();
            chunks.add(index + 1, newer);
            if (place > HALF) {
                newer.insert(place - HALF, nanos);
            } else {
                chunk.insert(place, nanos);
            }
        }
    }

    /** Returns the index of the last chunk that begins with an event older than {@code age} at {@code nanos}, or 0. */
    private int chunkOf(long nanos, long age) {
        int low = 0;
        int high = chunks.size() - 1;
        while (low < high) {
            int mid = (low + high + 1) >>> 1;
            Chunk chunk = chunks.get(mid);
            if (isOlder(chunk.times[chunk.head], nanos, age)) {
                low = mid;
            } else {
                high = mid - 1;
            }
        }
        return low;
    }

    /** Returns how many events are within {@code maxAge} at {@code nanos}. */
    long count(long nanos, long maxAge) {
        long count = size;
        for (Chunk chunk : chunks) {
            int first = chunk.firstIndexWithin(nanos, maxAge);
            count -= first - chunk.head;
            if (first < chunk.tail) {
                break;
            }
        }
        return count;
    }

    /** Removes the events that are older than {@code maxAge} at {@code nanos}. */
    void expire(long nanos, long maxAge) {
        Chunk oldest = chunks.get(0);
        if (!isOlder(oldest.times[oldest.head], nanos, maxAge)) {
            return;
        }
        int expired = 0;
        for (; expired < chunks.size(); expired++) {
            Chunk chunk = chunks.get(expired);
            int first = chunk.firstIndexWithin(nanos, maxAge);
            size -= first - chunk.head;
            chunk.head = first;
            if (first < chunk.tail) {
                break;
            }
        }
        if (expired > 0) {
            chunks.subList(0, expired).clear();
        }
    }

    /** Copies the times, oldest first, to {@code times} from the index {@code from} on. */
    void copyTo(long[] times, int from) {
        int to = from;
        for (Chunk chunk : chunks) {
            System.arraycopy(chunk.times, chunk.head, times, to, chunk.tail - chunk.head);
            to += chunk.tail - chunk.head;
        }
    }

    void release() {
        chunks.trimToSize();
    }
}
