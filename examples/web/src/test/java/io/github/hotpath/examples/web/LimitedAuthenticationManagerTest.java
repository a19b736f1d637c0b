package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

class LimitedAuthenticationManagerTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger checked = new AtomicInteger();
    private Runnable meanwhile = () -> {};
    private final LimitedAuthenticationManager manager =
            new LimitedAuthenticationManager(this::check, Limit.of(2, Duration.ofMinutes(15)), nanos::get);

    private Authentication check(Authentication login) {
        checked.getAndIncrement();
        meanwhile.run();
        if (!"right".equals(login.getCredentials())) {
            throw new BadCredentialsException("wrong");
        }
        return login;
    }

    private static Authentication login(String address, String password) {
        TestingAuthenticationToken login = new TestingAuthenticationToken("ann", password);
        login.setDetails(new WebAuthenticationDetails(address, null));
        return login;
    }

    private void assertFails(Class<? extends RuntimeException> exception, String address, String password) {
        assertThatExceptionOfType(exception).isThrownBy(() -> manager.authenticate(login(address, password)));
    }

    @Test
    void authenticate_twoFailed_refusedWithoutACheckForTheInterval() {
        assertFails(BadCredentialsException.class, "192.0.2.1", "a");
        assertFails(BadCredentialsException.class, "192.0.2.1", "b");
        assertFails(LockedException.class, "192.0.2.1", "right");
        assertThat(checked).hasValue(2);
        manager.authenticate(login("192.0.2.2", "right")); // nobody else is locked out

        nanos.addAndGet(Duration.ofMinutes(15).toNanos() + 1);
        manager.authenticate(login("192.0.2.1", "right"));
    }

    @Test
    void authenticate_right_doesNotCount() {
        for (int i = 0; i < 10; i++) {
            manager.authenticate(login("192.0.2.1", "right"));
        }
        assertThat(checked).hasValue(10);
    }

    /** An attacker can make none of these, and whoever has one has not guessed. */
    @Test
    void authenticate_failsForAnotherReason_doesNotCount() {
        List<RuntimeException> reasons = List.of(
                new AuthenticationServiceException("no database"),
                new CredentialsExpiredException("right, and a year old"),
                new DisabledException("right"),
                new IllegalStateException("of a provider"));
        for (RuntimeException reason : reasons) {
            meanwhile = () -> {
                throw reason;
            };
            for (int i = 0; i < 10; i++) {
                assertFails(reason.getClass(), "192.0.2.1", "right");
            }
        }
        meanwhile = () -> {};
        manager.authenticate(login("192.0.2.1", "right"));
    }

    @Test
    void authenticate_unknownName_counts() {
        meanwhile = () -> {
            throw new UsernameNotFoundException("bob");
        };
        assertFails(UsernameNotFoundException.class, "192.0.2.1", "a");
        assertFails(UsernameNotFoundException.class, "192.0.2.1", "b");
        assertFails(LockedException.class, "192.0.2.1", "c");
    }

    /** All clients would be one, which anybody can lock out. */
    @Test
    void authenticate_noAddress_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.authenticate(new TestingAuthenticationToken("ann", "right")))
                .withMessageContaining("details with the client's address");
        assertThat(checked).hasValue(0);
    }

    /** Guesses at the same time: what is in progress may fail. */
    @Test
    void authenticate_twoInProgress_thirdIsRefused() {
        meanwhile = () -> {
            meanwhile = () -> {
                meanwhile = () -> {};
                assertFails(LockedException.class, "192.0.2.1", "right");
            };
            manager.authenticate(login("192.0.2.1", "right"));
        };
        manager.authenticate(login("192.0.2.1", "right"));
        assertThat(checked).hasValue(2);
    }
}
