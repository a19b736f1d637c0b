package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A limit for each kind of log lines, and how many of a kind were held back. Thread-safe. */
final class LineLimits {
    /**
     * The most kinds that have a limit of their own: more than a program has statements that log. If there are more,
     * their text was put together before it was logged, and each line is a new kind. Those over the number share one
     * limit, or none of them would ever be held back, and their limiters would use up the memory.
     */
    static final int MOST_KINDS = 1000;

    /** Returned by {@link #pass} for a line that is to be held back. */
    static final long HELD_BACK = -1;

    private static final Kind REST = new Kind(null, null, null);

    private final Limit limit;
    private final LongSupplier nanoClock;

    /** By kind, never removed. A few more than {@link #MOST_KINDS} if threads find new ones at the same moment. */
    private final Map<Kind, Lines> kinds = new ConcurrentHashMap<>();

    LineLimits(Limit limit, LongSupplier nanoClock) {
        this.limit = limit;
        this.nanoClock = nanoClock;
    }

    /** Lines of one statement: its logger, level, and message before the arguments are inserted. */
    record Kind(String logger, Object level, String message) {}

    /** Returns how many lines were held back since one passed, if this one passes, and {@link #HELD_BACK} otherwise. */
    long pass(Kind kind) {
        boolean own = kinds.containsKey(kind) || kinds.size() < MOST_KINDS;
        Lines lines = kinds.computeIfAbsent(own ? kind : REST, any -> new Lines(SlidingWindowLimiter.of(limit)));
        if (lines.passed.tryAcquire(nanoClock.getAsLong(), 1)) {
            return lines.heldBack.getAndSet(0); // in one step, so that each line is reported once
        }
        lines.heldBack.incrementAndGet();
        return HELD_BACK;
    }

    private record Lines(SlidingWindowLimiter passed, AtomicLong heldBack) {
        Lines(SlidingWindowLimiter passed) {
            this(passed, new AtomicLong());
        }
    }
}
