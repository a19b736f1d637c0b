package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
 * @param dataMembers the addresses of the members with data, as {@code host:port}, in any order: three, or five to
 *     survive two failures; one for a test
 * @param silence after which a leader counts as failed, and an unanswered attempt is made again. Longer than the pauses
 *     of a garbage collector; from 100 ms to an hour
 * @param tls how connections are encrypted, as by {@link #withTls}, or null
 */
public record FleetMembers(
        String name,
        List<String> dataMembers,
        Duration silence,
        @Nullable GrpcTlsConfig tls) {
    /** Checks the values. */
    public FleetMembers {
        requireNonNull(name, "name");
        dataMembers = dataMembers.stream().sorted().toList(); // members number each other
        for (String address : dataMembers) {
            if (!address.matches(".+:[0-9]{1,5}")
                    || Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)) > 65_535) {
                throw new IllegalArgumentException("dataMembers: " + address + " (expected: host:port)");
            }
        }
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
    public static FleetMembers of(String name, String... dataMembers) {
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
     * Returns the same with TLS: each side of a connection proves who it is.
     *
     * @param keys the private key of this member and its certificate, as of a {@link javax.net.ssl.KeyManagerFactory}
     * @param trust the certificates that it trusts, as of a {@link javax.net.ssl.TrustManagerFactory}
     * @return the fleet
     */
    public FleetMembers withTls(KeyManager keys, X509TrustManager trust) {
        return new FleetMembers(name, dataMembers, silence, new GrpcTlsConfig(keys, trust, true));
    }

    /** Returns the group of the fleet, as Ratis knows it. Other fleets have other groups. */
    RaftGroupId group() {
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the members with data, as Ratis knows them, each at its number. */
    List<RaftPeer> peers() {
        return dataMembers.stream()
                .map(address -> RaftPeer.newBuilder()
                        .setId(address.replace(':', '_'))
                        .setAddress(address)
                        .build())
                .toList();
    }

    RaftGroup raftGroup() {
        return RaftGroup.valueOf(group(), peers());
    }

    Parameters parameters() {
        Parameters parameters = new Parameters();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, tls);
        }
        return parameters;
    }

    static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
