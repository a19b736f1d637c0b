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
 * each backup. It returns 0, or the delay. For one thread at a time.
 */
final class Attempt implements Function<ReadWriteEntryView<Object, SlidingWindowLimiter>, Long> {
    /*
     * It reads no clock, so that each owner comes to the same result. Attempts at a key come to all owners in the same
     * order, so a limiter changes in place: a copy would cost its whole size.
     *
     * Yet limiters of two owners can differ. If an owner fails or joins, Infinispan repeats attempts, and a new owner
     * runs those that are already in the state that it has fetched: they count twice there. Such an owner may have to
     * refuse what the primary has granted. It must not drop it, or it would have too little when it becomes the primary
     * itself. So an attempt says that an owner has granted it, and then counts at every other one: if not now, at the
     * next slot, and nothing is granted there before. An owner can have more than was granted, never less.
     *
     * The answer is always the evaluation of the owner that runs it. That of a backup is not used.
     */

    private static final Duration ANY = Duration.ofNanos(Long.MAX_VALUE);

    private final long nanos;
    private final int permits;
    private final List<Limit> limits;
    private boolean granted;

    /** Makes an attempt at the time {@code nanos}; the limits are for a key that has no limiter yet. */
    Attempt(long nanos, int permits, List<Limit> limits, boolean granted) {
        this.nanos = nanos;
        this.permits = permits;
        this.limits = limits;
        this.granted = granted;
    }

    @Override
    public Long apply(ReadWriteEntryView<Object, SlidingWindowLimiter> entry) {
        SlidingWindowLimiter limiter =
                entry.find().orElseGet(() -> SlidingWindowLimiter.of(limits.toArray(Limit[]::new)));
        long delay = limiter.tryAcquireOrDelay(nanos, permits);
        if (delay > 0 && granted) {
            limiter.reserve(nanos, permits, ANY);
        }
        granted |= delay == 0;
        if (granted) {
            entry.set(limiter, new MetaLifespan(lifespanMillis())); // without it, backups would not run this
        }
        return delay;
    }

    /**
     * Returns how long an entry is kept after a grant: twice the longest interval, so that the entry is there as long
     * as it counts by any clock of the fleet.
     */
    private long lifespanMillis() {
        Duration longest =
                limits.stream().map(Limit::interval).reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        return longest.multipliedBy(2).plusMillis(1).toMillis();
    }

    long nanos() {
        return nanos;
    }

    int permits() {
        return permits;
    }

    List<Limit> limits() {
        return limits;
    }

    /** Returns whether an owner has granted it. */
    boolean granted() {
        return granted;
    }
}
