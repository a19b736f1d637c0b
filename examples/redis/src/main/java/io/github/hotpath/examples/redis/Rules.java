package io.github.hotpath.examples.redis;

import io.github.hotpath.limit.Limit;
import java.util.ArrayList;
import java.util.List;

/** The limits of a limiter, as the script reads them, and what was refused under them. */
final class Rules {
    /** The script's numbers are exact up to 2^53, and times and intervals, of up to 2^51, are added up. */
    static final long MOST_MICROS = 1L << 52;

    /** Half of the script's {@code WRAP}. */
    static final long MOST_PERMITS = 1L << 51;

    private final List<Limit> limits;
    private final List<String> arguments = new ArrayList<>();

    /** The most permits that a call can acquire. */
    private final long mostPermits;

    private final Refusals refusals = new Refusals();

    Rules(Limit... limits) {
        this.limits = List.of(limits);
        if (limits.length == 0) {
            throw new IllegalArgumentException("limits: none (expected: at least one)");
        }
        for (Limit limit : limits) {
            long micros = limit.interval().toNanos() / 1000; // of times in whole microseconds, the rest expires nothing
            if (limit.max() == 0) {
                throw new IllegalArgumentException("limits: " + limit + " (expected: at least 1 permit)");
            }
            check(limit, "permits", limit.max(), MOST_PERMITS);
            arguments.addAll(List.of((limit.isPerCall() ? "-" : "") + limit.max(), "" + micros));
        }
        mostPermits = this.limits.stream()
                .filter(limit -> !limit.isPerCall())
                .mapToLong(Limit::max)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static void check(Limit limit, String unit, long value, long most) {
        if (value > most) {
            throw new IllegalArgumentException(
                    "limits: " + limit + ": " + value + " " + unit + " (expected: at most " + most + ")");
        }
    }

    List<Limit> limits() {
        return limits;
    }

    Refusals refusals() {
        return refusals;
    }

    boolean neverAllow(int permits) {
        return permits > mostPermits;
    }

    /** Returns the arguments of the script for an attempt; the time is "" for the server's. */
    String[] arguments(int permits, String time) {
        String[] all = new String[2 + arguments.size()];
        all[0] = Integer.toString(permits);
        all[1] = time;
        for (int i = 2; i < all.length; i++) {
            all[i] = arguments.get(i - 2);
        }
        return all;
    }
}
