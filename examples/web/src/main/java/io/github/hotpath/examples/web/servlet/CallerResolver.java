package io.github.hotpath.examples.web.servlet;

import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.ClientAddresses;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.function.UnaryOperator;

/** Decides by which keys a request counts, never by what any client can declare. Replace it to count by API keys. */
@FunctionalInterface
public interface CallerResolver {
    /** Returns the keys of a request. */
    Caller callerOf(HttpServletRequest request);

    /** Counts those who are logged in by their name, and all others by their address. */
    static CallerResolver userOrAddress(ClientAddresses addresses, UnaryOperator<String> tenantOf) {
        return request -> {
            String user = request.getRemoteUser();
            return user == null
                    ? Caller.address(addressOf(request, addresses))
                    : Caller.user(user, tenantOf.apply(user));
        };
    }

    /** Returns the key of the address that a request comes from, whoever is logged in. */
    static String addressOf(HttpServletRequest request, ClientAddresses addresses) {
        return addresses.keyOf(request.getRemoteAddr(), Collections.list(request.getHeaders(addresses.header())));
    }
}
