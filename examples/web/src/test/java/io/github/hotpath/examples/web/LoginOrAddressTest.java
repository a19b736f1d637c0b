package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginOrAddressTest {
    private static final String PROXY = "10.0.0.1";

    private final CallerResolver resolver = new LoginOrAddress(
            Set.of(
                    InetAddresses.forString(PROXY),
                    InetAddresses.forString("10.0.0.2"),
                    InetAddresses.forString("2001:db8:ffff::1")),
            user -> user.substring(user.indexOf('@') + 1));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // connected to | X-Forwarded-For | client
                "192.0.2.1 | '' | address:192.0.2.1",
                "192.0.2.1 | 198.51.100.7 | address:192.0.2.1", // not from a proxy, so invented
                "10.0.0.1 | 198.51.100.7 | address:198.51.100.7",
                "10.0.0.1 | 203.0.113.9,198.51.100.7 | address:198.51.100.7", // the first one came with the request
                "10.0.0.1 | 203.0.113.9,198.51.100.7,10.0.0.2 | address:198.51.100.7", // two proxies
                "10.0.0.1 | 10.0.0.2,198.51.100.7 | address:198.51.100.7", // a proxy's address, invented
                "10.0.0.1 | 10.0.0.2 | address:10.0.0.2", // from the proxy itself
                "10.0.0.1 | '' | address:10.0.0.1",
                "10.0.0.1 | 198.51.100.7,unknown | address:10.0.0.1",
                "10.0.0.1 | 198.51.100.7,localhost | address:10.0.0.1", // no name is looked up
                "10.0.0.1 | 198.51.100.7:4711 | address:198.51.100.7",
                "10.0.0.1 | [2001:db8:0:1:2:3:4:5]:4711 | address:2001:db8:0:1::/64",
                "10.0.0.1 | 2001:db8:0:1:2:3:4:5 | address:2001:db8:0:1::/64",
                "2001:db8:ffff::1 | 198.51.100.7 | address:198.51.100.7",
                "2001:db8:0:1::1 | '' | address:2001:db8:0:1::/64",
                "2001:db8:0:1:ffff:ffff:ffff:ffff | '' | address:2001:db8:0:1::/64", // the same prefix
                "2001:db8:0:2::1 | '' | address:2001:db8:0:2::/64", // another one
                "0:0:0:0:0:0:0:1 | '' | address:::/64",
                "::ffff:192.0.2.1 | '' | address:192.0.2.1", // IPv4 in the form of IPv6
                "a socket of the system | '' | address:a socket of the system",
            })
    void callerOf_notLoggedIn_addressThatCannotBeInvented(String address, String forwardedFor, String client) {
        assertThat(resolver.callerOf(origin(address, forwardedFor, null))).isEqualTo(new Caller(client, "anonymous"));
    }

    @Test
    void callerOf_loggedIn_nameAndItsTenantWhereverFrom() {
        assertThat(resolver.callerOf(origin("192.0.2.1", "", "alice@acme")))
                .isEqualTo(resolver.callerOf(origin(PROXY, "192.0.2.2", "alice@acme")))
                .isEqualTo(new Caller("login:alice@acme", "tenant:acme"));
    }

    /** Names and addresses are different keys, and so are tenants and those who have none. */
    @Test
    void callerOf_nameLikeAnAddressOrATenant_isNeither() {
        Caller caller = resolver.callerOf(origin("198.51.100.7", "", "192.0.2.1@anonymous"));

        assertThat(caller).isEqualTo(new Caller("login:192.0.2.1@anonymous", "tenant:anonymous"));
    }

    private static Origin origin(String address, String forwardedFor, @Nullable String login) {
        List<String> addresses = Splitter.on(',').omitEmptyStrings().splitToList(forwardedFor);
        return new Origin(address, addresses, login);
    }
}
