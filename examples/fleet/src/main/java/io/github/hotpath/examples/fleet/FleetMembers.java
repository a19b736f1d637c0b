package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The members of a fleet that have the data, and how they find out that one has failed. It has to be the same at all
 * members. Immutable.
 *
 * @param name of the fleet
 * @param dataMembers the addresses of the members with data, in any order: three, or five to survive two failures; one
 *     for a test
 * @param silence after which a leader counts as failed, and an unanswered attempt is made again. Longer than the pauses
 *     of a garbage collector; from 100 ms to an hour
 * @param margin the most by which the wall clocks of two members with data differ, up to 292 years. They matter, and
 *     intervals are longer by up to twice the margin, only if a member becomes leader that has received no entry since
 *     it was started
 * @param tls how connections are encrypted, or null
 */
public record FleetMembers(
        String name,
        List<HostAndPort> dataMembers,
        Duration silence,
        Duration margin,
        @Nullable Tls tls) {
    private static final Duration LONGEST_MARGIN = Duration.ofNanos(Long.MAX_VALUE);

    /** Checks the values. */
    public FleetMembers {
        requireNonNull(name, "name");
        dataMembers = dataMembers.stream()
                .sorted(Comparator.comparing(HostAndPort::toString)) // members number each other
                .toList();
        if (dataMembers.isEmpty() || new HashSet<>(dataMembers).size() < dataMembers.size()) {
            throw new IllegalArgumentException(
                    "dataMembers: " + dataMembers + " (expected: one or more, all different)");
        }
        if (silence.compareTo(Duration.ofMillis(100)) < 0 || silence.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("silence: " + silence + " (expected: from 100 ms to an hour)");
        }
        if (margin.isNegative() || margin.compareTo(LONGEST_MARGIN) > 0) {
            throw new IllegalArgumentException("margin: " + margin + " (expected: from 0 to " + LONGEST_MARGIN + ")");
        }
    }

    /**
     * Returns a fleet with a silence of 500 ms, a margin of one second, and without TLS.
     *
     * @param name of the fleet
     * @param dataMembers the addresses of the members with data
     * @return the fleet
     */
    public static FleetMembers of(String name, HostAndPort... dataMembers) {
        return new FleetMembers(name, List.of(dataMembers), Duration.ofMillis(500), Duration.ofSeconds(1), null);
    }

    /**
     * Returns the same with another silence.
     *
     * @param silence the silence
     * @return the fleet
     */
    public FleetMembers withSilence(Duration silence) {
        return new FleetMembers(name, dataMembers, silence, margin, tls);
    }

    /**
     * Returns the same with another margin.
     *
     * @param margin the margin
     * @return the fleet
     */
    public FleetMembers withMargin(Duration margin) {
        return new FleetMembers(name, dataMembers, silence, margin, tls);
    }

    /**
     * Returns the same with TLS.
     *
     * @param tls how connections are encrypted
     * @return the fleet
     */
    public FleetMembers withTls(Tls tls) {
        return new FleetMembers(name, dataMembers, silence, margin, tls);
    }

    /**
     * The address of a member with data.
     *
     * @param host its name, or its number
     * @param port of the members with data among each other. All members send attempts to {@code port + 1}
     */
    public record HostAndPort(String host, int port) {
        /** Checks the values. */
        public HostAndPort {
            requireNonNull(host, "host");
            if (port < 1 || port > 65_534) {
                throw new IllegalArgumentException("port: " + port + " (expected: from 1 to 65534)");
            }
        }

        @Override
        public String toString() {
            return host + ':' + port;
        }
    }

    /**
     * The keys of a member, and the certificates that it trusts: each side of a connection proves who it is.
     *
     * @param keys the private key and its certificate, as of a {@link javax.net.ssl.KeyManagerFactory}
     * @param trust the certificates, as of a {@link javax.net.ssl.TrustManagerFactory}
     */
    public record Tls(KeyManager keys, X509TrustManager trust) {
        /** Checks the values. */
        public Tls {
            requireNonNull(keys, "keys");
            requireNonNull(trust, "trust");
        }
    }
}
