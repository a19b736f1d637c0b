package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Limits how often logging in may fail, for the address of a client. One that succeeds does not count.
 *
 * <p>A permit is acquired before the password is checked, and released if it was right. Counted afterwards, a thousand
 * guesses at the same time would all be checked. So an address has no more log-ins in progress than may fail.
 */
public final class LimitedAuthenticationManager implements AuthenticationManager {
    private final AuthenticationManager manager;
    private final KeyedLimiter<String> failures;
    private final LongSupplier nanoClock;

    /**
     * Creates a manager.
     *
     * @param manager checks passwords
     * @param failures how many log-ins of an address may fail
     * @param nanoClock {@code System::nanoTime}
     */
    public LimitedAuthenticationManager(AuthenticationManager manager, Limit failures, LongSupplier nanoClock) {
        this.manager = manager;
        this.failures = KeyedLimiter.of(failures);
        this.nanoClock = nanoClock;
    }

    @Override
    public Authentication authenticate(Authentication login) {
        String address =
                login.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : null;
        Reservation attempt = failures.forKey(RequestLimits.clientKey(null, address))
                .reserve(nanoClock.getAsLong(), 1, Duration.ZERO);
        if (!attempt.isGranted()) {
            throw new LockedException("Too many log-ins have failed");
        }
        Authentication user = manager.authenticate(login);
        attempt.cancel();
        return user;
    }
}
