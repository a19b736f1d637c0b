package io.github.hotpath.limit;

import java.util.List;

/**
 * What a limiter must do after calls that have thrown errors: every call returns, and all agree on the permits that the
 * accounts allow. Throws if not.
 */
final class LimiterErrorAudit {
    private final SlidingWindowLimiter limiter;
    private final List<Limit> limits;
    private final LimiterErrorCalls[] all;
    private final long start;

    /** The longest interval. */
    private final long interval;

    LimiterErrorAudit(LimiterErrorCalls... all) {
        this.all = all;
        this.limiter = all[0].limiter;
        this.limits = limiter.limits();
        this.start = all[0].start;
        this.interval = all[0].mix.interval();
    }

    /** Calls every read of the limiter; with {@code clear} begins a new account of {@code fill} permits. */
    void run(boolean clear, int fill) {
        for (LimiterErrorCalls calls : all) {
            calls.checkAnswers();
            if (!calls.mix.roomy()) {
                checkLaw(calls);
            }
        }
        long now = afterAllSlots();
        checkReads(now);
        checkNextRequest(now);
        for (LimiterErrorCalls calls : all) {
            calls.clock = now;
            calls.removeExpired(now);
        }
        if (clear) {
            checkClear(now);
            for (LimiterErrorCalls calls : all) {
                calls.restart(now);
            }
            all[0].fill(fill);
        }
    }

    /** Returns a time at which no slot is pending, and not before the latest one. */
    private long afterAllSlots() {
        long now = 0;
        for (LimiterErrorCalls calls : all) {
            long delay = calls.slotUnknown ? calls.mix.maxDelay().toNanos() : 0;
            now = Math.max(now, calls.clock + delay);
            for (int at = 0; at < calls.count; at++) {
                now = Math.max(now, calls.times[at]);
            }
        }
        return now + LimiterErrorCalls.STEP;
    }

    /** Checks that no time span has more than the limits of what was certainly granted. */
    private void checkLaw(LimiterErrorCalls calls) {
        for (Limit limit : limits) {
            long length = limit.interval().toNanos();
            long sum = 0;
            int first = 0;
            for (int at = 0; at < calls.count; at++) {
                sum += counted(limit, calls.least[at]);
                while (calls.times[at] - calls.times[first] > length) {
                    sum -= counted(limit, calls.least[first++]);
                }
                check(sum <= limit.max(), sum + " granted under " + limit);
            }
        }
    }

    /** Checks what is available from {@code now} on: at each end of an interval, and between. */
    private void checkReads(long now) {
        checkRead(now);
        if (all.length > 1) {
            return; // a request that another thread has overtaken counts at a later time than its own
        }
        for (int eighths = 1; eighths <= 9; eighths++) {
            checkRead(now + interval * eighths / 8);
        }
        for (LimiterErrorCalls calls : all) {
            for (int at = calls.count - 1; at >= 0; at -= 1 + calls.count / 8) {
                for (Limit limit : limits) {
                    long end = calls.times[at] + limit.interval().toNanos();
                    checkRead(Math.max(now, end));
                    checkRead(Math.max(now, end + 1));
                }
            }
        }
    }

    private void checkRead(long time) {
        long most = Long.MAX_VALUE;
        long least = Long.MAX_VALUE;
        for (Limit limit : limits) {
            most = Math.min(most, available(limit, time, true));
            least = Math.min(least, available(limit, time, false));
        }
        long available = limiter.available(start + time);
        check(available <= most, available + " available, where at most " + most + " are");
        check(available >= least || isSlotUnknown(), available + " available, where at least " + least + " are");
        check(!limiter.isIdle(start + time) || most == available(limits.get(0), Long.MAX_VALUE / 2, true), "idle");
    }

    private boolean isSlotUnknown() {
        boolean unknown = false;
        for (LimiterErrorCalls calls : all) {
            unknown |= calls.slotUnknown;
        }
        return unknown;
    }

    /** Returns what is available if the least that may count does, or the most. */
    private long available(Limit limit, long time, boolean ofLeast) {
        long left = limit.max();
        for (LimiterErrorCalls calls : all) {
            for (int at = 0; at < calls.count; at++) {
                if (time - calls.times[at] <= limit.interval().toNanos()) {
                    left -= counted(limit, ofLeast ? calls.least[at] : calls.most[at]);
                }
            }
        }
        return left > 0 && limit.isPerCall() ? Long.MAX_VALUE : Math.max(0, left);
    }

    private static long counted(Limit limit, int permits) {
        return limit.isPerCall() ? Math.min(1, permits) : permits;
    }

    /** Checks that a refusal, its delay, and what is available then agree. */
    private void checkNextRequest(long now) {
        LimiterErrorCalls calls = all[0];
        long available = limiter.available(start + now);
        long delay = limiter.tryAcquireOrDelay(start + now, 1);
        check(delay == 0 == available > 0, delay + " ns to wait, and " + available + " available");
        if (delay == 0) {
            calls.times[calls.count] = now;
            calls.least[calls.count] = 1;
            calls.most[calls.count] = 1;
            calls.count++;
        } else if (delay != Long.MAX_VALUE) {
            check(!limiter.tryAcquire(start + now, 1), "granted");
            check(limiter.available(start + now + delay) > 0, "none available after the delay");
            check(limiter.available(start + now + delay - 1) == 0, "one available before the delay ends");
        }
    }

    /** Not before that are the invariants checked: an error leaves memory that is released with a later change. */
    private void checkClear(long now) {
        limiter.clear();
        limiter.checkInvariants();
        check(limiter.isIdle(start + now), "not idle");
        long most = Long.MAX_VALUE;
        for (Limit limit : limits) {
            most = Math.min(most, limit.isPerCall() ? Long.MAX_VALUE : limit.max());
        }
        check(limiter.available(start + now) == most, "not all available");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
