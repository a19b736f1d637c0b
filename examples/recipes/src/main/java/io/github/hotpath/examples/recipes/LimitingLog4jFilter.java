package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.Limit;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.filter.AbstractFilter;

/** The same for Log4j 2, as a filter of the whole configuration. It does not log what it has held back. */
final class LimitingLog4jFilter extends AbstractFilter {
    private final LineLimits limits;

    LimitingLog4jFilter(Limit limit, LongSupplier nanoClock) {
        limits = new LineLimits(limit, nanoClock);
    }

    /** Asked about a text with an exception. The object may also be null, or a supplier, which is not run. */
    @Override
    public Result filter(Logger logger, Level level, Marker marker, Object message, Throwable thrown) {
        return message instanceof String text ? filter(logger, level, marker, text) : Result.NEUTRAL;
    }

    @Override
    public Result filter(Logger logger, Level level, Marker marker, String format, Object... params) {
        boolean isOn = format != null && level.isMoreSpecificThan(logger.getLevel()); // null: whether a level is on
        return isOn && limits.pass(new LineLimits.Kind(logger.getName(), level, format)) == LineLimits.HELD_BACK
                ? Result.DENY
                : Result.NEUTRAL;
    }
}
