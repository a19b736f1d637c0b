package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.support.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A cluster of Flink in processes of its own, on the loopback address: a JobManager, and TaskManagers with two slots
 * each. It has Flink's classes and not those of this module, as a cluster that was downloaded.
 *
 * <p>No test reads a metric: Flink asks for new ones when all have answered, or after {@code web.timeout}, and a
 * TaskManager that was killed while it was asked never answers.
 */
final class Cluster implements AutoCloseable {
    private static final Pattern JOB = Pattern.compile("JobID ([0-9a-f]{32})");

    /** Not of Flink, or of its tests. */
    private static final Pattern OTHERS = Pattern.compile(".*(/target/(test-)?classes|hotpath-[^/]*\\.jar"
            + "|/picocli/.*|/org/apache/kafka/.*|/flink-connector-kafka/.*|/slf4j-nop/.*|-tests\\.jar)/?");

    private static final Set<String> ENDED = Set.of("CANCELED", "FAILED", "FINISHED");

    private final Path dir;
    private final Processes processes;
    private final int restPort;
    private final Map<String, Process> taskManagers = new TreeMap<>();
    private final Set<String> jobs = new TreeSet<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private Process jobManager;
    private int started;

    /** Has its files in {@code dir}. */
    Cluster(Path dir) throws IOException {
        this.dir = dir;
        processes = new Processes(dir, OTHERS);
        restPort = Ports.free();
    }

    void start(int number) throws IOException, InterruptedException {
        Files.writeString(dir.resolve("config.yaml"), configuration(Ports.free()));
        jobManager = processes.start(
                "jobmanager",
                List.of("-Xmx256m"),
                "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                "--configDir",
                dir.toString());
        startTaskManagers(number);
    }

    private String configuration(int rpcPort) throws IOException {
        return """
                jobmanager.rpc.address: localhost
                jobmanager.rpc.port: %1$d
                jobmanager.bind-host: localhost
                rest.address: localhost
                rest.bind-address: localhost
                rest.port: %2$d
                taskmanager.host: localhost
                taskmanager.bind-host: localhost
                taskmanager.numberOfTaskSlots: 2
                taskmanager.cpu.cores: 1.0
                taskmanager.memory.framework.heap.size: 64m
                taskmanager.memory.framework.off-heap.size: 64m
                taskmanager.memory.task.heap.size: 128m
                taskmanager.memory.task.off-heap.size: 0m
                taskmanager.memory.network.min: 24m
                taskmanager.memory.network.max: 24m
                taskmanager.memory.managed.size: 48m
                taskmanager.memory.jvm-metaspace.size: 128m
                taskmanager.memory.jvm-overhead.min: 64m
                taskmanager.memory.jvm-overhead.max: 64m
                heartbeat.interval: 1s
                heartbeat.timeout: 10min
                heartbeat.rpc-failure-threshold: 2
                client.timeout: 10min
                pekko.ask.timeout: 10min
                web.timeout: 10min
                io.tmp.dirs: %3$s
                web.tmpdir: %3$s
                execution.checkpointing.dir: %4$s
                """.formatted(
                        rpcPort, restPort, newDir("tmp"), newDir("checkpoints").toUri());
    }

    private Path newDir(String name) throws IOException {
        return Files.createDirectories(dir.resolve(name));
    }

    /** Starts so many more, and waits until they are part of the cluster, and those that were killed are not. */
    void startTaskManagers(int number) throws IOException, InterruptedException {
        for (int i = 0; i < number; i++) {
            String name = "taskmanager-" + ++started;
            taskManagers.put(
                    name,
                    processes.start(
                            name,
                            List.of("-Xmx192m"),
                            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                            "--configDir",
                            dir.toString(),
                            "-D",
                            "taskmanager.resource-id=" + name));
        }
        await("the TaskManagers", () -> isUp() && registered().equals(taskManagers.keySet()));
    }

    private Set<String> registered() throws IOException {
        Set<String> ids = new TreeSet<>();
        get("/taskmanagers")
                .path("taskmanagers") // none if the answer is an error, as before there is a leader
                .forEach(node -> ids.add(node.get("id").asText()));
        return ids;
    }

    private boolean isUp() {
        try {
            get("/overview");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What the client has said. */
    record Client(int status, String text) {}

    /** Runs {@code flink} with these arguments, as a user does, and waits for its end. */
    Client flink(String... args) throws IOException, InterruptedException {
        return flink(List.of(args));
    }

    private Client flink(List<String> args) throws IOException, InterruptedException {
        String name = "client-" + ++started;
        Process process = processes.start(
                name,
                List.of("-Xmx128m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"), // Flink's own logs to a file
                Map.of("FLINK_CONF_DIR", dir.toString()),
                "org.apache.flink.client.cli.CliFrontend",
                args.toArray(String[]::new));
        int status = process.waitFor();
        return new Client(status, processes.log(name));
    }

    /** Runs {@code flink run} with options of Flink, the jar and options of the job. */
    Client run(List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> args = new ArrayList<>(List.of("run"));
        args.addAll(options);
        args.add(System.getProperty("jobJar"));
        args.addAll(List.of(arguments));
        return flink(args);
    }

    /** Submits the job, which goes on, and returns its id. */
    String submit(List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> detached = new ArrayList<>(List.of("-d"));
        detached.addAll(options);
        String job = found(JOB, run(detached, arguments));
        jobs.add(job);
        return job;
    }

    private static String found(Pattern pattern, Client client) {
        Matcher matcher = pattern.matcher(client.text);
        if (client.status != 0 || !matcher.find()) {
            throw new AssertionError(client);
        }
        return matcher.group(1);
    }

    /** Kills the TaskManager that reads for a job, at once and without its knowledge. */
    void killReader(String job) throws IOException, InterruptedException {
        List<Process> killed = new ArrayList<>();
        await(
                "the reader",
                () -> { // for some seconds Flink may name one that was killed before
                    Process process = taskManagers.remove(readerOf(job));
                    if (process != null) {
                        killed.add(process.destroyForcibly());
                    }
                    return process != null;
                });
        killed.get(0).waitFor();
    }

    private String readerOf(String job) throws IOException {
        JsonNode source = get("/jobs/" + job).get("vertices").get(0);
        JsonNode subtasks =
                get("/jobs/" + job + "/vertices/" + source.get("id").asText()).get("subtasks");
        return subtasks.get(0).get("taskmanager-id").asText();
    }

    /** Ends all jobs. */
    void cancelAll() throws IOException, InterruptedException {
        jobs.clear();
        for (JsonNode job : get("/jobs").get("jobs")) {
            String id = job.get("id").asText();
            if (!ENDED.contains(job.get("status").asText())) {
                request("/jobs/" + id, HttpRequest.newBuilder().method("PATCH", HttpRequest.BodyPublishers.noBody()));
            }
            await("the end of a job", () -> ENDED.contains(state(id)));
        }
    }

    /** Returns how many failures a job was started again after, by its history. */
    int restarts(String job) throws IOException {
        return get("/jobs/" + job + "/exceptions")
                .get("exceptionHistory")
                .get("entries")
                .size();
    }

    private String state(String job) throws IOException {
        return get("/jobs/" + job).get("state").asText();
    }

    /** Waits until {@code condition} holds; a process that has ended, or a job that has failed, ends the wait. */
    void await(String what, Processes.Condition condition) throws IOException, InterruptedException {
        processes.await(what, () -> {
            boolean holds = condition.holds();
            if (!holds
                    && (!jobManager.isAlive() || !taskManagers.values().stream().allMatch(Process::isAlive))) {
                throw new AssertionError("a process has ended, waiting for " + what + "\n" + processes.logs());
            }
            for (String job : holds ? Set.<String>of() : jobs) {
                if (state(job).equals("FAILED")) {
                    throw new AssertionError("a job has failed, waiting for " + what + ": " + errors());
                }
            }
            return holds;
        });
    }

    private List<JsonNode> errors() throws IOException {
        List<JsonNode> errors = new ArrayList<>();
        for (JsonNode job : get("/jobs").get("jobs")) {
            errors.add(get("/jobs/" + job.get("id").asText() + "/exceptions?maxExceptions=3"));
        }
        return errors;
    }

    private JsonNode get(String path) throws IOException {
        return new ObjectMapper().readTree(request(path, HttpRequest.newBuilder()));
    }

    private String request(String path, HttpRequest.Builder request) throws IOException {
        URI uri = URI.create("http://localhost:" + restPort + "/v1" + path);
        try {
            return http.send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        processes.close();
    }
}
