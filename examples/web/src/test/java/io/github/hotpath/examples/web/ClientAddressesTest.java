package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {
    private static final List<String> PROXIES = List.of("10.0.0.0/8", "::1", "2001:db8:ffff::/48");

    private final ClientAddresses addresses = new ClientAddresses(PROXIES, "X-Forwarded-For", 64);
    private final ClientAddresses forwarded = new ClientAddresses(PROXIES, "Forwarded", 64);

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
        "2001:DB8:1:2::7, 2001:db8:1:2::/64",
        "fe80::1%eth0, fe80::/64",
        "::ffff:192.0.2.1, 192.0.2.1", // mapped
        "64:ff9b::192.0.2.1, 192.0.2.1", // NAT64
        "64:ff9b::c000:202, 192.0.2.2",
        "64:ff9b:1::192.0.2.1, 192.0.2.1", // NAT64 with a local prefix
        "64:ff9b:1:fffe::192.0.2.2, 192.0.2.2",
        "::ffff:0:192.0.2.1, 192.0.2.1", // SIIT
        "2002:c000:201:5::1, 192.0.2.1", // 6to4
        "::1, ::/64",
        "unix:, unknown",
        "localhost, unknown",
        "'', unknown",
    })
    void keyOf_withoutProxy_addressOrPrefix(String remote, String key) {
        assertThat(addresses.keyOf(remote, List.of())).isEqualTo(key);
        assertThat(addresses.keyOf(remote, List.of("198.51.100.7")))
                .isEqualTo(remote.equals("::1") ? "198.51.100.7" : key);
    }

    @Test
    void keyOf_null_oneKeyForAll() {
        assertThat(addresses.keyOf(null, List.of("198.51.100.7"))).isEqualTo(ClientAddresses.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3 | 192.0.2.1",
                "10.1.2.3 | 198.51.100.7, 192.0.2.1", // the first one is invented
                "10.1.2.3 | 198.51.100.7, 192.0.2.1, 10.9.9.9, 2001:db8:ffff:1::5", // three proxies
                "::1 | 192.0.2.1:4711",
                "::ffff:10.1.2.3 | 192.0.2.1",
                "192.0.2.1 | 10.0.0.1", // no proxy
                "10.1.2.3 | \", 192.0.2.1", // no quotation marks in this field
            })
    void keyOf_xForwardedFor_lastAddressThatIsNoProxy(String remote, String field) {
        assertThat(addresses.keyOf(remote, List.of(field))).isEqualTo("192.0.2.1");
        assertThat(addresses.keyOf(remote, List.of("203.0.113.9", field))).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=192.0.2.1 | 192.0.2.1",
                "For=198.51.100.7, proto=https;FOR=\"192.0.2.1:4711\";by=10.1.2.3 | 192.0.2.1",
                "for=192.0.2.1;host=\"a,b;c\\\"d\", for=10.9.9.9 | 192.0.2.1",
                "for=\"[2001:db8:1:2::7]:4711\" | 2001:db8:1:2::/64",
                "for=192.0.2.1, for=unknown | 10.1.2.3", // a proxy that does not tell
                "for=192.0.2.1, for=_hidden | 10.1.2.3",
                "for=\"a, for=192.0.2.1 | 10.1.2.3", // the client has begun a quotation, which nobody ends
                "proto=https | 10.1.2.3",
            })
    void keyOf_forwarded_lastAddressThatIsNoProxy(String field, String key) {
        assertThat(forwarded.keyOf("10.1.2.3", List.of(field))).isEqualTo(key);
        assertThat(addresses.keyOf("10.1.2.3", List.of(field))).isEqualTo("10.1.2.3");
    }

    /** A proxy may be reached over 6to4 by whoever puts its address into theirs. */
    @Test
    void keyOf_addressThatEmbedsThatOfAProxy_isNoProxy() {
        assertThat(addresses.keyOf("2002:a01:203::1", List.of("192.0.2.1"))).isEqualTo("10.1.2.3");
    }

    @Test
    void keyOf_otherPrefixLength_masked() {
        ClientAddresses sites = new ClientAddresses(List.of(), "X-Forwarded-For", 48);

        assertThat(sites.keyOf("2001:db8:1:2:3:4:5:6", List.of())).isEqualTo("2001:db8:1::/48");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "proxy.example", "10.*.*.*", "", "/8"})
    void new_wrongRange_exception(String range) {
        assertThatThrownBy(() -> new ClientAddresses(List.of(range), "Forwarded", 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("trustedProxies: " + range + " (expected: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 129})
    void new_wrongPrefixLength_exception(int length) {
        assertThatThrownBy(() -> new ClientAddresses(List.of(), "Forwarded", length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("ipv6PrefixLength: " + length);
    }
}
