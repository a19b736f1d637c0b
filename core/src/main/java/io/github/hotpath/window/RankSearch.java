package io.github.hotpath.window;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Finds the event at a rank among the events of several sorted logs, without merging them. Not thread-safe. */
final class RankSearch {
    /*
     * Each log shows a segment: its newest events that have not been skipped, at most a chunk of them. Of all segments
     * take the one whose oldest event is the newest. Every event of any log that is not older than that is in a segment
     * too, so each event of that segment has a rank of at most the number of events in all segments. If that number is
     * less than the rank looked for, the segment is skipped, whole. Otherwise segments are halved. With segments of one
     * event, the newest is skipped until the rank is 1.
     *
     * So most events are skipped by chunks, in a step for each log. After each halving at most two segments of each log
     * are skipped, and there are ten halvings.
     */

    private final List<Cursor> cursors = new ArrayList<>();

    /** Adds the events of {@code log}, which does not change from now on. */
    void add(EventLog log) {
        cursors.add(new Cursor(log));
    }

    /**
     * Returns the age at {@code latest} of the event at {@code rank}, counted from the newest, which is 1. There are at
     * least as many, and none is later. To be called once.
     */
    long age(long rank, long latest) {
        long left = rank;
        int most = Chunks.MAX_LENGTH; // events of a segment
        while (true) {
            int chosen = 0;
            long chosenAge = -1; // the highest: ages are unsigned
            long inSegments = 0;
            for (int i = 0; i < cursors.size(); i++) {
                int segment = cursors.get(i).segment(most);
                inSegments += segment;
                if (segment > 0) {
                    long age = latest - cursors.get(i).oldest(segment);
                    boolean newer = Long.compareUnsigned(age, chosenAge) <= 0;
                    chosen = newer ? i : chosen;
                    chosenAge = newer ? age : chosenAge;
                }
            }
            if (most > 1 && left <= inSegments) {
                most /= 2;
            } else if (left == 1) {
                return chosenAge;
            } else {
                left -= cursors.get(chosen).skip(most);
            }
        }
    }

    /** The events of a log that have not been skipped. */
    private static final class Cursor {
        private final EventLog log;
        private final Iterator<long[]> middle;

        /** Has the newest of them, before {@link #end}, and behind {@link #start} only such. */
        private long[] chunk;

        private int start;
        private int end;

        Cursor(EventLog log) {
            this.log = log;
            middle = log.middleFromNewest();
            chunk = log.lastChunk();
            start = chunk == log.firstChunk() ? log.head() : 0;
            end = log.size() == 0 ? start : log.tail();
        }

        /** Returns how many events the segment has if it has at most {@code most}: none only if there are none left. */
        int segment(int most) {
            return Math.min(most, end - start);
        }

        long oldest(int segment) {
            return chunk[end - segment];
        }

        /** Skips the segment of at most {@code most} events, and returns how many it has. */
        int skip(int most) {
            int segment = segment(most);
            end -= segment;
            if (end == start && chunk != log.firstChunk()) {
                boolean inMiddle = middle.hasNext();
                chunk = inMiddle ? middle.next() : log.firstChunk();
                start = inMiddle ? 0 : log.head();
                end = chunk.length;
            }
            return segment;
        }
    }
}
