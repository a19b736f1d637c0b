package io.github.hotpath.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Limiter#decide} and {@link Limiter#peek}: whether permits are granted, when they would be, and
 * what is left of each limit. Immutable.
 *
 * <pre>{@code
 * Decision decision = limiter.decide(System.nanoTime(), 1);
 * for (Quota quota : decision.quotas()) {
 *     tell(quota.limit(), quota.remaining(), quota.exceeded());
 * }
 * }</pre>
 */
public final class Decision {
    private final long delayNanos;
    private final List<Quota> quotas;

    Decision(long delayNanos, List<Quota> quotas) {
        this.delayNanos = delayNanos;
        this.quotas = List.copyOf(quotas);
    }

    /** {@return whether the permits were granted; for {@link Limiter#peek}, whether they would have been} */
    public boolean isGranted() {
        return delayNanos == 0;
    }

    /**
     * Returns the delay in nanoseconds after which the permits would be granted, as {@link Limiter#tryAcquireOrDelay}
     * returns it.
     *
     * @return 0 if they are granted; {@link Long#MAX_VALUE} if they never are or the delay does not fit a {@code long}
     */
    public long delayNanos() {
        return delayNanos;
    }

    /**
     * Returns what is left of each limit, in the order in which the limits were given. For {@linkplain Limiter#allOf
     * several limiters}, their limits follow one another in the order in which the limiters were given, each limiter
     * once.
     *
     * @return an unmodifiable list with one element for each limit
     */
    public List<Quota> quotas() {
        return quotas;
    }

    /** Returns whether {@code other} is a decision with the same delay and equal quotas. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Decision that && delayNanos == that.delayNanos && quotas.equals(that.quotas);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(delayNanos) + quotas.hashCode();
    }

    /** Returns a string with whether the permits were granted, the delay, and the quotas. */
    @Override
    public String toString() {
        return "Decision[granted=" + isGranted() + ", delayNanos=" + delayNanos + ", quotas=" + quotas + "]";
    }
}
