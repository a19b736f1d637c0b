package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;

/**
 * How the members of a fleet are configured. Three of them have the data: each key at an owner and a backup, which are
 * a majority of three. Any number of others, the replicas of a service, have none.
 */
public final class FleetMembers {
    /** How many members have the data. */
    public static final int DATA_MEMBERS = 3;

    /*
     * The coordinator, which is any member, decides what happens when members fail, by the configuration that it has of
     * the cache. If it had none it would prefer availability, and a minority would grant as if it were alone. So the
     * configuration of all caches is there before a member joins the cluster.
     */
    private static final String CACHES = "hotpath-";

    /*
     * TCP, and the members that have the data are found by their addresses: no multicast. A killed member is detected
     * immediately, by its sockets (FD_SOCK2); one that does not respond is suspected after that time (FD_ALL3).
     */
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="%1$s" bind_port="%2$d" port_range="0" diag.enabled="false"
                   tcp_nodelay="true" sock_conn_timeout="300ms" bundler_type="transfer-queue" bundler.max_size="64k"
                   thread_pool.min_threads="0" thread_pool.max_threads="200" thread_pool.keep_alive_time="1m"/>
              <RED/>
              <TCPPING initial_hosts="%3$s" port_range="0"/>
              <MERGE3 min_interval="1s" max_interval="5s"/>
              <FD_SOCK2 offset="1000"/>
              <FD_ALL3 timeout="%4$d" interval="1s"/>
              <VERIFY_SUSPECT2 timeout="1s"/>
              <pbcast.NAKACK2 use_mcast_xmit="false" xmit_interval="200ms" resend_last_seqno="true"/>
              <UNICAST3 conn_close_timeout="5s" xmit_interval="200ms"/>
              <pbcast.STABLE desired_avg_gossip="5s" max_bytes="1M"/>
              <pbcast.GMS print_local_addr="false" join_timeout="2s"/>
              <UFC max_credits="4m" min_threshold="0.40"/>
              <MFC max_credits="4m" min_threshold="0.40"/>
              <FRAG4 frag_size="60k"/>
            </config>
            """;

    private FleetMembers() {}

    /**
     * An address of a member.
     *
     * @param host its name, or its number
     * @param port of TCP; the one that is 1000 more is used as well
     */
    public record HostAndPort(String host, int port) {}

    /**
     * Returns the configuration of a member, which waits at its start until the members with data, and itself if it has
     * none, have joined: members that start at the same time could otherwise form two clusters. The result has the
     * configurations of the member and of the caches, and can be changed.
     *
     * @param cluster its name
     * @param own the address of this member
     * @param dataMembers the addresses of the members that have the data, three unless it is for a test
     * @param silence after which a member is expected to have failed. Longer than the pauses of a garbage collector
     * @param startTimeout after which the start fails if members are missing
     * @return the configuration
     */
    public static ConfigurationBuilderHolder member(
            String cluster, HostAndPort own, List<HostAndPort> dataMembers, Duration silence, Duration startTimeout) {
        boolean hasData = dataMembers.contains(own);
        String hosts = dataMembers.stream()
                .map(address -> address.host() + '[' + address.port() + ']')
                .collect(Collectors.joining(","));
        ConfigurationBuilderHolder configuration = new ConfigurationBuilderHolder();
        configureCaches(configuration.newConfigurationBuilder(CACHES + '*'), dataMembers.size());
        GlobalConfigurationBuilder member = configuration.getGlobalConfigurationBuilder();
        member.clusteredDefault();
        member.zeroCapacityNode(!hasData);
        member.serialization().addContextInitializer(new FleetForms());
        member.jmx().disable();
        member.transport()
                .clusterName(cluster)
                .initialClusterSize(dataMembers.size() + (hasData ? 0 : 1))
                .initialClusterTimeout(startTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .addProperty(
                        JGroupsTransport.CONFIGURATION_XML,
                        STACK.formatted(own.host(), own.port(), hosts, silence.toMillis()));
        return configuration;
    }

    private static void configureCaches(ConfigurationBuilder caches, int dataMembers) {
        int majority = dataMembers / 2 + 1; // of them owns each key, so that a minority never has all owners of one
        caches.encoding().mediaType(MediaType.APPLICATION_OBJECT_TYPE); // objects: bytes would be read at each call
        caches.clustering().cacheMode(CacheMode.DIST_SYNC).hash().numOwners(majority);
        if (majority > 1) {
            caches.clustering().partitionHandling().whenSplit(PartitionHandling.DENY_READ_WRITES);
        }
    }

    /** Returns the cache of that name, made with the first call. */
    static AdvancedCache<Object, SlidingWindowLimiter> cache(EmbeddedCacheManager manager, String name) {
        String cache = CACHES + name;
        if (manager.getCacheConfiguration(cache) == null) {
            throw new IllegalArgumentException("manager: " + manager + " (expected: configured by FleetMembers)");
        }
        return manager.<Object, SlidingWindowLimiter>getCache(cache).getAdvancedCache();
    }

    /** Returns whether as many members as own a key have the cache and data in it. */
    static boolean hasOwners(AdvancedCache<?, ?> cache) {
        ConsistentHash hash = cache.getDistributionManager().getCacheTopology().getCurrentCH();
        int owners = cache.getCacheConfiguration().clustering().hash().numOwners();
        return hash.getMembers().stream()
                        .filter(member -> !hash.getSegmentsForOwner(member).isEmpty())
                        .count()
                >= owners;
    }
}
