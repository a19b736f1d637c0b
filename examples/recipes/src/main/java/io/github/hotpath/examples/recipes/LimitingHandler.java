package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * A log handler that passes on a limited number of lines of a kind in any time span of length {@code interval}, and
 * logs how many it held back: with the next line of that kind that it passes on, or in {@link #flush}. Thread-safe.
 */
final class LimitingHandler extends Handler {
    /**
     * The most messages that have a limit of their own: more than a program has statements that log. If there are more,
     * they were put together before they were logged. Those over the number share a limit for each level: otherwise
     * they would never be held back, and their limiters would use up the memory.
     */
    static final int MOST_KINDS = 1000;

    private static final String REST = "messages of too many kinds";

    private final Handler target;
    private final Limit limit;
    private final LongSupplier nanoClock;

    /** By kind, never removed. A few more than {@link #MOST_KINDS} if threads find new ones at the same moment. */
    private final Map<Kind, Lines> kinds = new ConcurrentHashMap<>();

    LimitingHandler(Handler target, int limit, Duration interval, LongSupplier nanoClock) {
        this.target = target;
        this.limit = Limit.of(limit, interval);
        this.nanoClock = nanoClock;
    }

    @Override
    public void publish(LogRecord line) {
        if (!isLoggable(line)) {
            return;
        }
        Kind kind = kindOf(line);
        Lines lines = kinds.computeIfAbsent(kind, any -> new Lines(limit));
        if (lines.passed.tryAcquire(nanoClock.getAsLong(), 1)) {
            tellHeldBack(kind, lines);
            target.publish(line);
        } else {
            lines.heldBack.incrementAndGet();
        }
    }

    /** Returns the kind of {@code line}: its message, or for those over the number only its level. */
    private Kind kindOf(LogRecord line) {
        Kind kind = new Kind(line.getLoggerName(), line.getLevel(), line.getMessage());
        return kinds.containsKey(kind) || kinds.size() < MOST_KINDS ? kind : new Kind(null, line.getLevel(), REST);
    }

    private void tellHeldBack(Kind kind, Lines lines) {
        long count = lines.heldBack.getAndSet(0); // in one step, so that each line is reported once
        if (count > 0) {
            LogRecord line = new LogRecord(kind.level, count + " held back of: " + kind.message);
            line.setLoggerName(kind.logger);
            target.publish(line);
        }
    }

    /**
     * Reports the lines held back since the last report. To be called from time to time, for kinds that have become
     * rare.
     */
    @Override
    public void flush() {
        kinds.forEach(this::tellHeldBack);
        target.flush();
    }

    @Override
    public void close() {
        flush();
        target.close();
    }

    /** Lines of one message, before its parameters are inserted. */
    private record Kind(String logger, Level level, String message) {}

    /** The limiter of a kind, and the number of lines held back. */
    private static final class Lines {
        private final SlidingWindowLimiter passed;
        private final AtomicLong heldBack = new AtomicLong();

        Lines(Limit limit) {
            passed = SlidingWindowLimiter.of(limit);
        }
    }
}
