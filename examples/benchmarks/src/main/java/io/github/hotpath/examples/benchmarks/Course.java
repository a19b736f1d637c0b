package io.github.hotpath.examples.benchmarks;

/**
 * Traffic whose every event has a time by a formula, so that it is known without memory how many are in a window. Times
 * begin at 0 and go up.
 */
public enum Course {
    /** One event each ten nanoseconds; read at a thousand times while a tenth of the events expire. */
    STEADY("steady") {
        @Override
        long intervalNanos(long events) {
            return 10 * (events - 1);
        }

        @Override
        long nanos(long event, long events) {
            return 10 * event;
        }

        @Override
        long step(long events) {
            return Math.max(1, events / 10_000);
        }

        @Override
        long firstRead(long events) {
            return events;
        }

        @Override
        int reads() {
            return 1_000;
        }
    },

    /**
     * Bursts of half of the events, a thousandth of the interval less than the interval apart; read after the last
     * event of each but the first. Counters that go by intervals, or by tenths of them, have the last burst in the
     * interval before, and nearly at the end of this one take next to nothing of that: they miss half of what there is.
     * A limiter that goes by such a count lets twice its limit through.
     */
    BURSTS("bursts") {
        @Override
        long intervalNanos(long events) {
            return 1_000 * events;
        }

        @Override
        long nanos(long event, long events) {
            long size = events / 2;
            long end = (event / size + 1) * (intervalNanos(events) - events);
            return end - (size - 1 - event % size);
        }

        @Override
        long step(long events) {
            return events / 2;
        }

        @Override
        long firstRead(long events) {
            return events / 2 * 2 - 1;
        }

        @Override
        int reads() {
            return 3;
        }
    };

    private final String title;

    Course(String title) {
        this.title = title;
    }

    /** Returns how long a window is that has about so many {@code events} in it. */
    abstract long intervalNanos(long events);

    /** Returns the time of an event, which are numbered from 0. */
    abstract long nanos(long event, long events);

    /** Returns how many events come from one read to the next. */
    abstract long step(long events);

    /** Returns the event after which is the first read. */
    abstract long firstRead(long events);

    abstract int reads();

    /** Returns how many events are in the window at the time of the event {@code newest}. */
    final long count(long newest, long events) {
        long begin = nanos(newest, events) - intervalNanos(events);
        long low = 0;
        long high = newest;
        while (low < high) {
            long mid = (low + high) >>> 1;
            if (nanos(mid, events) < begin) {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        return newest - low + 1;
    }

    /** Returns its name in tables and charts. */
    @Override
    public String toString() {
        return title;
    }
}
