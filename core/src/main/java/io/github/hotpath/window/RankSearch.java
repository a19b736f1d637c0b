package io.github.hotpath.window;

import java.util.Arrays;

/** Finds the event at a rank among the events of several sorted logs, without merging them. Not thread-safe. */
final class RankSearch implements EventLog.Visitor {
    /*
     * Each log has a segment: its newest events that have not been skipped, up to a maximum length. Of all segments
     * take the one whose oldest event is the newest. Every event of any log that is not older than that is in a segment
     * too, so each event of that segment has a rank of at most the number of events in all segments. If that number is
     * less than the rank to be found, the whole segment is skipped. Otherwise segments are halved. With segments of one
     * event, the newest is skipped until the rank is 1.
     *
     * Segments are as long as the rank at first. After each halving at most two segments of each log are skipped, and
     * all that is read of a segment is its oldest event. So for k logs and rank r that is O(k log r) events, most of
     * which are not in the processor's cache, and O(k^2 log r) steps.
     */

    /** Of each log. No list, whose iterators would be allocated in every step. */
    private Cursor[] cursors = {};

    /** Adds the events of {@code log}, which does not change from now on. */
    @Override
    public void visit(EventLog log) {
        cursors = Arrays.copyOf(cursors, cursors.length + 1);
        cursors[cursors.length - 1] = new Cursor(log);
    }

    /**
     * Returns the age at {@code latest} of the event at {@code rank}, counted from the newest, which is 1. There are at
     * least as many, and none is later. To be called once.
     */
    long age(long rank, long latest) {
        long left = rank;
        long maxLength = Long.highestOneBit(rank); // of a segment
        setSegments(maxLength, latest);
        while (true) {
            Cursor newest = cursors[0];
            long inSegments = 0;
            for (Cursor cursor : cursors) {
                inSegments += cursor.segment;
                newest = cursor.isNewer(newest) ? cursor : newest;
            }
            if (maxLength > 1 && left <= inSegments) {
                maxLength /= 2;
                setSegments(maxLength, latest);
            } else if (left == 1) {
                return newest.age;
            } else {
                left -= newest.segment;
                newest.skipped += newest.segment;
                newest.setSegment(maxLength, latest);
            }
        }
    }

    private void setSegments(long maxLength, long latest) {
        for (Cursor cursor : cursors) {
            cursor.setSegment(maxLength, latest);
        }
    }

    /** The events of a log that have not been skipped. */
    private static final class Cursor {
        private final EventLog log;

        /** The chunks between the first and the last one, oldest first. */
        private final Object[] middle;

        /** How many of the newest events have been skipped. */
        long skipped;

        /** The events of the segment: none only if all have been skipped. */
        long segment;

        /** The age of the oldest of them. */
        long age;

        Cursor(EventLog log) {
            this.log = log;
            middle = log.middle();
        }

        void setSegment(long maxLength, long latest) {
            segment = Math.min(maxLength, log.size() - skipped);
            if (segment > 0) {
                age = latest - log.newest(skipped + segment, middle);
            }
        }

        /** Whether the segment's oldest event is not older than that of {@code other}, which is none if it is empty. */
        boolean isNewer(Cursor other) {
            return segment > 0 && (other.segment == 0 || Long.compareUnsigned(age, other.age) <= 0);
        }
    }
}
