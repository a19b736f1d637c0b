package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Reservation;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Limits how often an address may send a wrong password or an unknown name. Nothing else counts: neither a log-in that
 * succeeds, nor one that fails since the password has expired or the database of users is down. Each process counts for
 * itself.
 *
 * <p>A permit is acquired before the password is checked, and released if it was not wrong. Counted afterwards, a thousand
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

    /**
     * Checks the password, unless too many log-ins of the address have failed.
     *
     * @throws IllegalArgumentException if the details of {@code login} are not {@code WebAuthenticationDetails}: without
     *     an address, all clients would be one
     */
    @Override
    public Authentication authenticate(Authentication login) {
        if (!(login.getDetails() instanceof WebAuthenticationDetails details)) {
            throw new IllegalArgumentException("login: " + login + " (expected: details with the client's address)");
        }
        Reservation attempt = failures.forKey(RequestLimits.clientKey(null, details.getRemoteAddress()))
                .reserve(nanoClock.getAsLong(), 1, Duration.ZERO);
        if (!attempt.isGranted()) {
            throw new LockedException("Too many log-ins have failed");
        }
        boolean isWrong = false;
        try {
            return manager.authenticate(login);
        } catch (BadCredentialsException | UsernameNotFoundException e) {
            isWrong = true;
            throw e;
        } finally {
            if (!isWrong) {
                attempt.cancel();
            }
        }
    }
}
