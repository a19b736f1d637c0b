package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509TrustManager;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.util.TimeDuration;
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
 * @param tls how connections are encrypted, or null
 */
public record FleetMembers(
        String name,
        List<HostAndPort> dataMembers,
        Duration silence,
        @Nullable Tls tls) {
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
    }

    /**
     * Returns a fleet with a silence of 500 ms, and without TLS.
     *
     * @param name of the fleet
     * @param dataMembers the addresses of the members with data
     * @return the fleet
     */
    public static FleetMembers of(String name, HostAndPort... dataMembers) {
        return new FleetMembers(name, List.of(dataMembers), Duration.ofMillis(500), null);
    }

    /**
     * Returns the same with another silence.
     *
     * @param silence the silence
     * @return the fleet
     */
    public FleetMembers withSilence(Duration silence) {
        return new FleetMembers(name, dataMembers, silence, tls);
    }

    /**
     * Returns the same with TLS.
     *
     * @param tls how connections are encrypted
     * @return the fleet
     */
    public FleetMembers withTls(Tls tls) {
        return new FleetMembers(name, dataMembers, silence, tls);
    }

    /**
     * The address of a member with data.
     *
     * @param host its name, or its number
     * @param port at which it listens
     */
    public record HostAndPort(String host, int port) {
        /** Checks the values. */
        public HostAndPort {
            requireNonNull(host, "host");
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port: " + port + " (expected: from 1 to 65535)");
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

    /** Returns the group of the fleet, as Ratis knows it. Other fleets have other groups. */
    RaftGroupId group() {
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the members with data, as Ratis knows them, each at its number. */
    List<RaftPeer> peers() {
        return dataMembers.stream()
                .map(address -> RaftPeer.newBuilder()
                        .setId(address.toString().replace(':', '_'))
                        .setAddress(address.toString())
                        .build())
                .toList();
    }

    RaftGroup raftGroup() {
        return RaftGroup.valueOf(group(), peers());
    }

    Parameters parameters() {
        Parameters parameters = new Parameters();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, new GrpcTlsConfig(tls.keys(), tls.trust(), true));
        }
        return parameters;
    }

    static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
