package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar of the jobs on a cluster with a JobManager and three TaskManagers, each of them a process, submitted as a user
 * does. All results are compared with a naive count. Time-outs end what hangs; that of the class is of its tests alone.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ClusterIT {
    private static final Duration SIZE = Duration.ofMinutes(1);
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int FILES = 40;
    private static final int TASK_MANAGERS = 3;

    /** So many events of a partition of Kafka come before a TaskManager is killed. */
    private static final int BEFORE_KILL = 5_900;

    private static final List<String> CHECKPOINTS = List.of("-D", "execution.checkpointing.interval=300ms");

    @TempDir
    private static Path clusterDir;

    private static Cluster cluster;

    @TempDir
    private Path dir;

    private Path events;
    private Path output;

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

    @BeforeEach
    void makeDirectories() throws IOException {
        events = Files.createDirectory(dir.resolve("events"));
        output = Files.createDirectory(dir.resolve("output"));
    }

    @AfterEach
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void endJobs() throws Exception {
        cluster.cancelAll();
    }

    private static List<String> options(Class<?> job, int subtasks, String... more) {
        List<String> options = new ArrayList<>(CHECKPOINTS);
        options.addAll(List.of("-c", job.getName(), "-p", Integer.toString(subtasks)));
        options.addAll(List.of(more));
        return options;
    }

    private String submitFiles(int subtasks) throws Exception {
        return cluster.submit(options(CountFiles.class, subtasks), fileArguments());
    }

    private String[] fileArguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--source", events.toString(), "--output", output.toString()));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** Waits until there are as many results as expected, each of which must be right, and there once. */
    private void assertResults(Map<String, Long> expected) throws Exception {
        cluster.await("results", () -> EventFiles.read(output).size() >= expected.size());

        Map<String, Long> results = new HashMap<>();
        for (String line : EventFiles.read(output)) {
            int comma = line.lastIndexOf(',');
            assertThat(results.put(line.substring(0, comma), Long.parseLong(line.substring(comma + 1))))
                    .as("%s was there", line)
                    .isNull();
        }
        assertThat(results).as("seed %d", EventFiles.SEED).isEqualTo(expected);
    }

    /** The backlog after an outage, in which there are late events. */
    @Test
    void files_moreThanSubtasks_eachResultIsExact() throws Exception {
        EventFiles files = new EventFiles(FILES, 50);
        files.move(events, 0, FILES);

        submitFiles(4);

        assertResults(files.expected(FILES, SIZE, SLIDE));
    }

    @Test
    void files_fewerThanSubtasks_resultsCome() throws Exception {
        EventFiles files = new EventFiles(2, 50);
        files.move(events, 0, 1);

        submitFiles(4);

        assertResults(files.expected(1, SIZE, SLIDE));
        files.move(events, 1, 2);
        assertResults(files.expected(2, SIZE, SLIDE));
    }

    @Test
    void files_taskManagerIsKilled_eachResultIsExactAndThereOnce() throws Exception {
        EventFiles files = new EventFiles(FILES, 400);
        files.move(events, 0, FILES / 2);

        String job = submitFiles(4);
        cluster.await("results", () -> !EventFiles.read(output).isEmpty());
        cluster.killReader(job);
        files.move(events, FILES / 2, FILES); // which are read after the restart, at the latest
        cluster.startTaskManagers(1);

        assertResults(files.expected(FILES, SIZE, SLIDE));
        cluster.await("a restart", () -> cluster.restarts(job) > 0);
    }

    @Test
    void files_stoppedAndStartedWithMoreSubtasksOnRocksDb_eachResultIsExact() throws Exception {
        EventFiles files = new EventFiles(FILES, 50);
        files.move(events, 0, FILES / 2);
        String[] rocksDb = {"-D", "state.backend.type=rocksdb"};

        String job = cluster.submit(options(CountFiles.class, 2, rocksDb), fileArguments());
        cluster.await("results", () -> !EventFiles.read(output).isEmpty());
        files.move(events, FILES / 2, FILES - 10);
        String savepoint = cluster.stop(job);
        files.move(events, FILES - 10, FILES);
        List<String> options = options(CountFiles.class, 4, rocksDb);
        options.addAll(List.of("-s", savepoint));

        Cluster.Client other = cluster.run(options, fileArguments("--slide=PT5S"));
        assertThat(other.status()).isPositive();
        assertThat(other.text()).contains("slide: PT5S (expected: PT1S, with which the state was made)");
        cluster.submit(options, fileArguments());

        assertResults(files.expected(FILES, SIZE, SLIDE));
    }

    @Test
    void run_wrongArgument_isRejectedByTheClient() throws Exception {
        Cluster.Client client = cluster.run(options(CountFiles.class, 2), fileArguments("--slide=PT0S"));

        assertThat(client.status()).isPositive();
        assertThat(client.text())
                .contains("CountFiles: slide: PT0S (expected: a positive number of whole milliseconds)")
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
            String job = cluster.submit(options(CountTopic.class, 2), arguments);
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
