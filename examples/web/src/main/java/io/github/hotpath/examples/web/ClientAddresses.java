package io.github.hotpath.examples.web;

import inet.ipaddr.AddressStringException;
import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.HostName;
import inet.ipaddr.HostNameParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address by which a client who is not logged in counts. No name is ever looked up.
 *
 * <p><b>Proxies.</b> Behind a proxy every connection comes from the proxy. If that is a trusted one, the client is the
 * last address in the field {@code X-Forwarded-For} or {@code Forwarded} (RFC 7239), which that proxy has added; if
 * this is a trusted proxy, too, the client is the address before, and so on. Addresses further to the left came with
 * the request and may be invented. Name the field that your proxies write: they pass on the other one as it came.
 *
 * <p><b>IPv6.</b> A subscriber has at least all addresses with the same first 64 bits, which are one key. An address
 * that stands for one of IPv4, as behind NAT64 and SIIT, is the key of that one: otherwise all clients behind the
 * translator would be one.
 */
public final class ClientAddresses {
    /** The key of all clients whose address the server does not know, such as those of a Unix-domain socket. */
    public static final String UNKNOWN = "unknown";

    private static final HostNameParameters ADDRESS_AND_PORT = addressAndPort();

    /** Local prefixes of NAT64 (RFC 8215), here with the IPv4 address at their end. */
    private static final IPAddress LOCAL_NAT64 = range("64:ff9b:1::/48");

    private final List<IPAddress> trustedProxies;
    private final String header;
    private final int ipv6PrefixLength;

    /**
     * Creates a finder.
     *
     * @param trustedProxies addresses and ranges of your own proxies, such as {@code 10.0.0.0/8}; none if clients
     *     connect directly, or if Tomcat's {@code RemoteIpValve} evaluates the field: others take the first address
     * @param header the field to which these proxies add the address that they see: {@code X-Forwarded-For}, or
     *     {@code Forwarded}
     * @param ipv6PrefixLength how many bits of an IPv6 address are a client: 64, or fewer if yours have more networks
     */
    public ClientAddresses(List<String> trustedProxies, String header, int ipv6PrefixLength) {
        if (ipv6PrefixLength < 1 || ipv6PrefixLength > IPv6Address.BIT_COUNT) {
            throw new IllegalArgumentException("ipv6PrefixLength: " + ipv6PrefixLength + " (expected: from 1 to 128)");
        }
        this.trustedProxies =
                trustedProxies.stream().map(ClientAddresses::range).toList();
        this.header = header;
        this.ipv6PrefixLength = ipv6PrefixLength;
    }

    private static IPAddress range(String text) {
        try {
            IPAddressString range =
                    new IPAddressString(text, strict().allowPrefix(true).toParams());
            return range.toAddress().toPrefixBlock();
        } catch (AddressStringException e) {
            throw new IllegalArgumentException(
                    "trustedProxies: " + text + " (expected: an address, or a range such as 10.0.0.0/8)", e);
        }
    }

    /** The library's own parameters allow masks, wildcards, and numbers as C's inet_aton reads them. */
    private static IPAddressStringParameters.Builder strict() {
        return with(new IPAddressStringParameters.Builder());
    }

    private static HostNameParameters addressAndPort() {
        HostNameParameters.Builder builder = new HostNameParameters.Builder().allowEmpty(false);
        with(builder.getAddressOptionsBuilder()).allowPrefix(false);
        return builder.toParams();
    }

    private static IPAddressStringParameters.Builder with(IPAddressStringParameters.Builder builder) {
        return builder.allowEmpty(false)
                .allowAll(false)
                .allowSingleSegment(false)
                .allowMask(false)
                .allowPrefixOnly(false)
                .allowWildcardedSeparator(false)
                .allow_inet_aton(false)
                .setRangeOptions(RangeParameters.NO_RANGE);
    }

    /** Returns the name of the field that {@link #keyOf} takes. */
    public String header() {
        return header;
    }

    /**
     * Returns the key of a client.
     *
     * @param remoteAddress the other end of the connection, {@code null} if the server does not know it
     * @param fields the values of the field {@link #header}, in the order in which they were sent
     */
    public String keyOf(@Nullable String remoteAddress, List<String> fields) {
        IPAddress client = parsed(remoteAddress);
        if (client == null) {
            return UNKNOWN;
        }
        List<String> hops = hops(fields);
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            IPAddress before = parsed(hops.get(i));
            if (before == null) {
                break; // such as "unknown": the proxy itself is the best that is known
            }
            client = before;
        }
        return key(client);
    }

    private boolean isTrusted(IPAddress address) {
        return trustedProxies.stream().anyMatch(range -> range.contains(address));
    }

    /** Returns an address without its port, which some proxies add, and without its zone. */
    private static @Nullable IPAddress parsed(@Nullable String text) {
        IPAddress address = text == null ? null : new HostName(text.strip(), ADDRESS_AND_PORT).asAddress();
        if (address == null || !address.isIPv6()) {
            return address;
        }
        IPv6Address ipv6 = address.toIPv6();
        return ipv6.isIPv4Mapped() ? ipv6.getEmbeddedIPv4Address() : ipv6.removeZone();
    }

    private String key(IPAddress address) {
        if (!address.isIPv6()) {
            return address.toCanonicalString();
        }
        IPv6Address ipv6 = address.toIPv6();
        if (ipv6.isWellKnownIPv4Translatable() || ipv6.isIPv4Translatable() || LOCAL_NAT64.contains(ipv6)) {
            return ipv6.getEmbeddedIPv4Address().toCanonicalString();
        }
        return ipv6.is6To4()
                ? ipv6.get6To4IPv4Address().toCanonicalString()
                : ipv6.toPrefixBlock(ipv6PrefixLength).toCanonicalString();
    }

    private List<String> hops(List<String> fields) {
        List<String> hops = new ArrayList<>();
        boolean isForwarded = header.equalsIgnoreCase("Forwarded");
        for (String field : fields) {
            if (isForwarded) {
                split(field, ',').forEach(element -> hops.add(forOf(element)));
            } else {
                hops.addAll(List.of(field.split(",", -1)));
            }
        }
        return hops;
    }

    /** Returns the parameter {@code for} of an element of {@code Forwarded}, without its quotes; "" if it has none. */
    private static String forOf(String element) {
        for (String pair : split(element, ';')) {
            if (pair.regionMatches(true, 0, "for=", 0, 4)) {
                return pair.substring(4).replace("\"", "");
            }
        }
        return "";
    }

    /** Splits at separators outside of quotation marks. If these do not match, nothing is known: one empty element. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean isQuoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && isQuoted) {
                i++;
            } else if (c == separator && !isQuoted) {
                parts.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        parts.add(text.substring(start).strip());
        return isQuoted ? List.of("") : parts;
    }
}
