package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar of the job on a cluster with a JobManager and three TaskManagers, each of them a process, submitted as a user
 * does. All results are compared with a naive count. Time-outs end what hangs; that of the class is of its tests alone.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ClusterIT {
    private static final Duration SIZE = Duration.ofMinutes(1);
    private static final int TASK_MANAGERS = 3;

    /** So many events of a partition of Kafka come before a TaskManager is killed. */
    private static final int BEFORE_KILL = 5_900;

    @TempDir
    private static Path clusterDir;

    private static Cluster cluster;

    @TempDir
    private Path dir;

    @BeforeAll
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    static void start() throws Exception {
        cluster = new Cluster(clusterDir);
        cluster.start(TASK_MANAGERS);
    }

    @AfterAll
    static void close() throws Exception {
        cluster.close();
    }

    @AfterEach
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void endJobs() throws Exception {
        cluster.cancelAll();
    }

    /** Two subtasks, with the state in RocksDB. */
    private static List<String> options() {
        return List.of("-D", "execution.checkpointing.interval=300ms", "-D", "state.backend.type=rocksdb", "-p", "2");
    }

    @Test
    void run_wrongArgument_isRejectedByTheClient() throws Exception {
        Cluster.Client client =
                cluster.run(options(), "--kafka=localhost:9092", "--topic=events", "--results=results", "--slide=PT0S");

        assertThat(client.status()).isPositive();
        assertThat(client.text())
                .contains("CountTopic: slide: PT0S (expected: a positive number of whole milliseconds)")
                .doesNotContain("Exception", "JobID");
    }

    /**
     * Four partitions for two subtasks, and one of them is behind: its events are not late, since watermarks are made
     * for each partition.
     */
    @Test
    void kafka_partitionBehindTheOthersAndTaskManagerKilled_eachResultIsExact() throws Exception {
        Path brokerDir = Files.createDirectory(dir.resolve("broker"));
        try (Broker broker = new Broker(brokerDir)) {
            broker.createTopic("events", 4);
            broker.createTopic("results", 1);
            List<List<Event>> partitions = partitions();
            for (int i = 0; i < 3; i++) {
                List<Event> partition = partitions.get(i);
                broker.send("events", i, partition.subList(0, BEFORE_KILL));
            }
            String[] arguments = {"--kafka", broker.servers(), "--topic", "events", "--results", "results"};
            String job = cluster.submit(options(), arguments);
            for (int i = 0; i < 3; i++) {
                int partition = i;
                cluster.await(
                        "partition " + i, () -> broker.read("sliding-counts", "events", partition) == BEFORE_KILL);
            }

            List<Event> behind = partitions.get(3);
            broker.send("events", 3, behind.subList(0, behind.size() / 2));
            try (Broker.Reader reader = broker.new Reader("results")) {
                Map<String, Long> results = new HashMap<>();
                cluster.await("results", () -> add(results, reader.next()));
                cluster.killReader(job);
                cluster.startTaskManagers(1);
                broker.send("events", 3, behind.subList(behind.size() / 2, behind.size()));
                for (int i = 0;
                        i < 3;
                        i++) { // a partition has no watermark after a restart, until its next two records
                    List<Event> partition = partitions.get(i);
                    broker.send("events", i, partition.subList(BEFORE_KILL, partition.size()));
                }

                Map<String, Long> expected = expected(partitions);
                cluster.await("results", () -> {
                    add(results, reader.next());
                    return results.size() >= expected.size();
                });
                assertThat(results).isEqualTo(expected);
                cluster.await("a restart", () -> cluster.restarts(job) > 0);
            }
            cluster.cancelAll();
        }
    }

    /** Adds records, of which one may come again with the same value. */
    private static boolean add(Map<String, Long> results, List<ConsumerRecord<String, String>> records) {
        for (ConsumerRecord<String, String> record : records) {
            Long before = results.put(record.key(), Long.valueOf(record.value()));
            assertThat(before).isIn(null, Long.valueOf(record.value()));
        }
        return !results.isEmpty();
    }

    /** Events of two minutes in each partition, in order. */
    private static List<List<Event>> partitions() {
        List<List<Event>> partitions = new ArrayList<>();
        for (int partition = 0; partition < 4; partition++) {
            int number = partition;
            partitions.add(LongStream.range(0, 6_000)
                    .mapToObj(i -> new Event((i * 7 + number) % 10, 1_763_640_000_000L + i * 20 + number))
                    .toList());
        }
        return partitions;
    }

    /** No event is late, so each is in all of its windows; those are complete that the last partition has passed. */
    private static Map<String, Long> expected(List<List<Event>> partitions) {
        long passed = partitions.stream()
                        .mapToLong(events -> events.get(events.size() - 2).time()) // which the last one confirms
                        .min()
                        .orElseThrow()
                - 2_000;
        Map<String, Long> counts = new HashMap<>();
        for (List<Event> partition : partitions) {
            for (Event event : partition) {
                for (long end = event.time() / 1_000 * 1_000 + 1_000;
                        end <= Math.min(passed, event.time() + SIZE.toMillis());
                        end += 1_000) {
                    counts.merge(event.key() + "," + end, 1L, Long::sum);
                }
            }
        }
        return counts;
    }
}
