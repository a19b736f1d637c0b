package io.github.hotpath.examples.recipes;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A circuit breaker: it opens when too many calls of the last span have failed, and then rejects calls for a while.
 * After that it lets through one call at a time to try, and closes if that succeeds. Calls need a time-out, since it
 * stays open while one tries. Thread-safe.
 */
final class CircuitBreaker {
    private final Settings settings;
    private final Predicate<? super Exception> isFailure;
    private final LongSupplier nanoClock;
    private final EventWindow calls;
    private final EventWindow failures;
    private boolean open;

    /** When it may be tried whether the calls succeed again, if {@link #open}. */
    private long openUntil;

    /** Whether a call is trying that, if {@link #open}. */
    private boolean trying;

    /** Changes when the breaker opens and when a call tries: the results of calls begun before do not count. */
    private long period;

    /**
     * Creates a breaker that is closed.
     *
     * @param isFailure whether an exception is a failure of what is called, and not of the caller's arguments: then the
     *     call tells nothing, and does not count
     */
    CircuitBreaker(Settings settings, Predicate<? super Exception> isFailure, LongSupplier nanoClock) {
        this.settings = settings;
        this.isFailure = isFailure;
        this.nanoClock = nanoClock;
        calls = EventWindow.of(settings.span);
        failures = EventWindow.of(settings.span);
    }

    /** Opens if at least {@code leastCalls} ended in the last {@code span} and {@code failurePercent} of them failed. */
    record Settings(Duration span, long leastCalls, int failurePercent, Duration openFor) {}

    /**
     * Returns the result of {@code call}, or throws what it throws.
     *
     * @throws OpenException if the breaker is open; then {@code call} was not called
     */
    <T> T call(Callable<T> call) throws Exception {
        long began = begin();
        boolean tells = true;
        boolean failed = true;
        try {
            T result = call.call();
            failed = false;
            return result;
        } catch (Exception e) {
            tells = isFailure.test(e);
            throw e;
        } finally {
            end(began, tells, failed);
        }
    }

    private synchronized long begin() throws OpenException {
        if (open) {
            if (trying || openUntil - nanoClock.getAsLong() > 0) {
                throw new OpenException();
            }
            trying = true;
            period++;
        }
        return period;
    }

    private synchronized void end(long began, boolean tells, boolean failed) {
        if (began != period) {
            return;
        }
        if (!tells) {
            trying = false; // the next call tries
            return;
        }
        long now = nanoClock.getAsLong();
        calls.record(now);
        if (failed) {
            failures.record(now);
        }
        long ended = calls.count(now);
        boolean tooMany = ended >= settings.leastCalls && failures.count(now) * 100 >= ended * settings.failurePercent;
        if (trying ? failed : tooMany) {
            open = true;
            openUntil = now + settings.openFor.toNanos();
            period++;
        } else if (trying) {
            open = false;
            calls.clear(); // or the failures before would open it again at once
            failures.clear();
        }
        trying = false;
    }

    /** Thrown instead of a call. */
    static final class OpenException extends Exception {
        private static final long serialVersionUID = 1;

        private OpenException() {
            super("the circuit breaker is open");
        }
    }
}
