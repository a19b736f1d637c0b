package io.github.hotpath.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link SlidingLog} at some moment. The arrays have an element for each entry, oldest first.
 *
 * @param limits the limits
 * @param started whether there are a latest time and a last slot; if not, there are no entries
 * @param latest the latest time
 * @param lastSlot less than 2^63 - 1 after the latest time, and not before it or any entry
 * @param times strictly increasing
 * @param permits at least 1 each; {@code null} if each is 1
 * @param calls at least 1 each, and at most the permits; {@code null} if each is 1
 */
record LimiterState(
        List<Limit> limits,
        boolean started,
        long latest,
        long lastSlot,
        long[] times,
        long @Nullable [] permits,
        long @Nullable [] calls) {

    /** Returns a new log with the entries. */
    PermitLog log() {
        PermitLog log = new PermitLog();
        for (int i = 0; i < times.length; i++) {
            log.append(times[i], permits == null ? 1 : permits[i], calls == null ? 1 : calls[i]);
        }
        return log;
    }
}
