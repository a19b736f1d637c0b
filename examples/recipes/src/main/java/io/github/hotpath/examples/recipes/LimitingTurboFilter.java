package io.github.hotpath.examples.recipes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * A filter of Logback that lets pass so many lines of a kind in any minute, and logs how many it has held back before
 * the next that passes. Thread-safe.
 *
 * <pre>{@code
 * <turboFilter class="io.github.hotpath.examples.recipes.LimitingTurboFilter">
 *   <linesPerMinute>10</linesPerMinute>
 * </turboFilter>
 * }</pre>
 */
public final class LimitingTurboFilter extends TurboFilter {
    /** Of the lines of this filter, which are not limited. */
    private static final Marker REPORT = MarkerFactory.getMarker("held-back");

    private final LongSupplier nanoClock;
    private LineLimits limits;

    /** Creates a filter of ten lines per minute. */
    public LimitingTurboFilter() {
        this(System::nanoTime);
    }

    LimitingTurboFilter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        setLinesPerMinute(10);
    }

    /** Sets how many lines of a kind may pass in any minute. For the configuration, before the filter is used. */
    public void setLinesPerMinute(int lines) {
        limits = new LineLimits(Limit.of(lines, Duration.ofMinutes(1)), nanoClock);
    }

    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
        boolean isQuestion = format == null; // isDebugEnabled() and the like
        if (isQuestion || marker == REPORT || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        long heldBack = limits.pass(new LineLimits.Kind(logger.getName(), level, format));
        if (heldBack > 0) {
            int slf4jLevel = Level.toLocationAwareLoggerInteger(level);
            Object[] report = {heldBack, format};
            logger.log(REPORT, Logger.FQCN, slf4jLevel, "{} lines held back of: {}", report, null);
        }
        return heldBack == LineLimits.HELD_BACK ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
