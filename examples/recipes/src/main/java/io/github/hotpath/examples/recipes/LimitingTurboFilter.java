package io.github.hotpath.examples.recipes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * A filter of Logback that lets pass so many lines of a kind in any minute, and logs how many it has held back: before
 * the next line of the kind that passes, and at the end. Thread-safe.
 *
 * <pre>{@code
 * <turboFilter class="io.github.hotpath.examples.recipes.LimitingTurboFilter">
 *   <linesPerMinute>10</linesPerMinute>
 * </turboFilter>
 * }</pre>
 */
public final class LimitingTurboFilter extends TurboFilter {
    /**
     * The most kinds that have a limit of their own: more than a program has statements that log. If there are more,
     * their text was put together before it was logged, and each line is a new kind. Those over the number share one
     * limit, or none of them would ever be held back, and their limiters would use up the memory.
     */
    static final int MOST_KINDS = 1000;

    /** The longest message that is a kind: a longer one is text, and a thousand of them could fill the memory. */
    static final int LONGEST_KIND = 1000;

    private static final String REST = "other kinds";

    /** Of the lines of this filter, which are not limited. */
    private static final Marker REPORT = MarkerFactory.getMarker("held-back");

    private final LongSupplier nanoClock;

    /** Never removed. A few more than {@link #MOST_KINDS} if threads find new ones at the same moment. */
    private final Map<Kind, Lines> kinds = new ConcurrentHashMap<>();

    private Limit limit = Limit.of(10, Duration.ofMinutes(1));

    /** Creates a filter of ten lines per minute. */
    public LimitingTurboFilter() {
        this(System::nanoTime);
    }

    LimitingTurboFilter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Sets how many lines of a kind may pass in any minute. For the configuration, before the filter is used. */
    public void setLinesPerMinute(int lines) {
        limit = Limit.of(lines, Duration.ofMinutes(1));
    }

    /** Lines of one statement: its message is that before the arguments are inserted, or the class of what was thrown. */
    private record Kind(Logger logger, Level level, String message) {}

    private record Lines(SlidingWindowLimiter passed, AtomicLong heldBack) {}

    @Override
    public void start() {
        getContext().register(this); // what is registered is stopped before the appenders are
        super.start();
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
        boolean isQuestion = format == null && params == null && thrown == null; // isDebugEnabled() and the like
        if (isQuestion || marker == REPORT || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        String message = format == null && thrown != null ? thrown.getClass().getName() : String.valueOf(format);
        Kind kind = new Kind(logger, level, message);
        if (message.length() > LONGEST_KIND || kinds.size() >= MOST_KINDS && !kinds.containsKey(kind)) {
            kind = new Kind(logger.getLoggerContext().getLogger(Logger.ROOT_LOGGER_NAME), Level.WARN, REST);
        }
        Lines lines = kinds.computeIfAbsent(kind, any -> new Lines(SlidingWindowLimiter.of(limit), new AtomicLong()));
        if (!lines.passed.tryAcquire(nanoClock.getAsLong(), 1)) {
            lines.heldBack.incrementAndGet();
            return FilterReply.DENY;
        }
        report(new Kind(logger, level, kind.message), lines);
        return FilterReply.NEUTRAL;
    }

    private static void report(Kind kind, Lines lines) {
        long heldBack = lines.heldBack.getAndSet(0); // in one step, so that each line is reported once
        if (heldBack > 0) {
            int level = Level.toLocationAwareLoggerInteger(kind.level);
            Object[] report = {heldBack, kind.message};
            kind.logger.log(REPORT, Logger.FQCN, level, "{} lines held back of: {}", report, null);
        }
    }

    /** Reports the lines that were held back since the last one of their kind that passed. */
    @Override
    public void stop() {
        if (isStarted()) {
            super.stop();
            kinds.forEach(LimitingTurboFilter::report);
        }
    }
}
