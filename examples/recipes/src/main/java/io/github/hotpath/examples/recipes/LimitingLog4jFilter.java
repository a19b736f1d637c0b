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

    @Override
    public Result filter(Logger logger, Level level, Marker marker, String format, Object... params) {
        boolean isOn = level.isMoreSpecificThan(logger.getLevel());
        return isOn && limits.pass(new LineLimits.Kind(logger.getName(), level, format)) == LineLimits.HELD_BACK
                ? Result.DENY
                : Result.NEUTRAL;
    }
}
