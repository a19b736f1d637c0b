package io.github.hotpath.examples.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which user is logged in, by the token of a request; a request without one, or with a wrong one, is
 * anonymous. In a service this is done by its container or by Spring Security.
 */
final class AuthenticationFilter implements Filter {
    private final Accounts accounts;

    AuthenticationFilter(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(new Authenticated((HttpServletRequest) request, accounts), response);
    }

    private static final class Authenticated extends HttpServletRequestWrapper {
        private final @Nullable String user;

        Authenticated(HttpServletRequest request, Accounts accounts) {
            super(request);
            user = Optional.ofNullable(request.getHeader("Authorization"))
                    .flatMap(accounts::user)
                    .orElse(null);
        }

        @Override
        public @Nullable String getRemoteUser() {
            return user;
        }
    }
}
