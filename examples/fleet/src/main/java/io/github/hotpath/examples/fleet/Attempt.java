package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.MetaParam.MetaLifespan;

/**
 * An attempt to acquire permits. Infinispan runs it at the primary owner of the key, and then, if it was granted, at
 * each backup. It returns 0, or the delay.
 *
 * @param nanos the time of the attempt, by the clock of the caller
 * @param permits how many
 * @param limits of a key that has no limiter yet
 */
record Attempt(long nanos, int permits, List<Limit> limits)
        implements Function<ReadWriteEntryView<Object, SlidingWindowLimiter>, Long> {
    /*
     * Reads no clock, so that each owner comes to the same result. Attempts at a key come to all owners in the same
     * order, so the limiters of all owners are equal, and a copy for each attempt is not needed: the limiter changes in
     * place. A copy would cost its whole size.
     *
     * If an owner fails, Infinispan repeats the attempt. An owner that has run it before counts its permits twice: one
     * owner then has more than the others, never fewer.
     */

    @Override
    public Long apply(ReadWriteEntryView<Object, SlidingWindowLimiter> entry) {
        SlidingWindowLimiter limiter =
                entry.find().orElseGet(() -> SlidingWindowLimiter.of(limits.toArray(Limit[]::new)));
        long delay = limiter.tryAcquireOrDelay(nanos, permits);
        if (delay == 0) {
            entry.set(limiter, new MetaLifespan(lifespanMillis())); // without it, backups would not run this
        }
        return delay;
    }

    /**
     * Returns how long an entry is kept after a grant: twice the longest interval, so that the entry is there as long as
     * it counts by any clock of the fleet.
     */
    private long lifespanMillis() {
        Duration longest =
                limits.stream().map(Limit::interval).reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return longest.multipliedBy(2).plusMillis(1).toMillis();
    }
}
