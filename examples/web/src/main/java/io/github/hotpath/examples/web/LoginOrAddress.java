package io.github.hotpath.examples.web;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Counts those who are logged in by their name, and all others by their address.
 *
 * <p>Behind a proxy every connection comes from the proxy. If that is a trusted one, the client is the address that it
 * has added to {@code X-Forwarded-For}, the last one; if that is a trusted proxy as well, the one before, and so on.
 * Addresses further to the left were sent by the client, which may have invented them.
 *
 * <p>A single subscriber has 2^64 addresses of IPv6, so all addresses with the same first 64 bits are one client.
 */
final class LoginOrAddress implements CallerResolver {
    private static final int HOST_BITS = 64;

    /** The tenant of all who are not logged in, so that these use nothing of what others share. */
    private static final String ANONYMOUS = "anonymous";

    private final Set<InetAddress> trustedProxies;
    private final UnaryOperator<String> tenantOf;

    /**
     * Creates a resolver.
     *
     * @param trustedProxies the addresses of your own proxies, each of which adds to {@code X-Forwarded-For}; none if
     *     clients connect directly, or if the server itself evaluates the field
     * @param tenantOf returns the tenant of a user
     */
    LoginOrAddress(Set<InetAddress> trustedProxies, UnaryOperator<String> tenantOf) {
        this.trustedProxies = Set.copyOf(trustedProxies);
        this.tenantOf = tenantOf;
    }

    @Override
    public Caller callerOf(Origin origin) {
        String login = origin.login();
        return login == null
                ? new Caller(address(origin), ANONYMOUS)
                : new Caller(loginKey(login), "tenant:" + tenantOf.apply(login));
    }

    /** Returns the client with that name, which is no address, whatever name a user has chosen. */
    static String loginKey(String login) {
        return "login:" + login;
    }

    private String address(Origin origin) {
        Optional<InetAddress> connected = parsed(origin.address());
        return "address:"
                + connected.map(address -> network(client(address, origin))).orElse(origin.address());
    }

    private InetAddress client(InetAddress connected, Origin origin) {
        InetAddress client = connected;
        List<String> forwardedFor = origin.forwardedFor();
        for (int i = forwardedFor.size() - 1; i >= 0 && trustedProxies.contains(client); i--) {
            Optional<InetAddress> before = parsed(forwardedFor.get(i));
            if (before.isEmpty()) {
                return client; // such as "unknown": the proxy itself is the best that is known
            }
            client = before.get();
        }
        return client;
    }

    /** Returns an address without its port, which some proxies add; nothing is looked up by a name. */
    private static Optional<InetAddress> parsed(String text) {
        try {
            return Optional.of(
                    InetAddresses.forString(HostAndPort.fromString(text).getHost()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String network(InetAddress address) {
        if (address instanceof Inet6Address) {
            BigInteger prefix = InetAddresses.toBigInteger(address).shiftRight(HOST_BITS);
            return InetAddresses.toAddrString(InetAddresses.fromIPv6BigInteger(prefix.shiftLeft(HOST_BITS))) + "/64";
        }
        return InetAddresses.toAddrString(address);
    }
}
