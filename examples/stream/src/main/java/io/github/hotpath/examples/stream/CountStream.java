package io.github.hotpath.examples.stream;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.examples.stream.SlidingCounts.Count;
import io.github.hotpath.examples.support.ChildJvm;
import io.github.hotpath.examples.support.Table;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RpcOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts a stream on Flink, in this JVM: for each key the events of the last minute, every second. It is done with {@link
 * SlidingCounts} and with Flink's own sliding window, whose results are the same.
 */
@Command(name = "CountStream", mixinStandardHelpOptions = true, description = "Counts a stream on Flink, in this JVM.")
public final class CountStream implements Callable<Integer> {
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int SUBTASKS = 2;

    /** All runs in this JVM, and a stall of the machine is no failure. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** When half of the events were made: Flink copies the functions of a job, so they share nothing else. */
    private static final AtomicLong HALF_NANOS = new AtomicLong();

    @Option(names = "--events", description = "How many there are: ${DEFAULT-VALUE}.", defaultValue = "600000")
    private long number;

    @Option(names = "--keys", description = "How many keys they have: ${DEFAULT-VALUE}.", defaultValue = "100")
    private int keys;

    @Option(names = "--size", description = "Of a window: ${DEFAULT-VALUE}.", defaultValue = "PT1M")
    private Duration size = Duration.ZERO;

    private CountStream() {}

    /** Runs the program. The exit status is 1 if the results differ. */
    public static void main(String[] args) throws Exception {
        if (CountStream.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
            System.exit(new CommandLine(new CountStream()).execute(args));
        }
        // Maven has loaded this class, and Flink's threads look for classes where the JVM has them.
        ChildJvm.run(ChildJvm.command(List.of(), CountStream.class, (Object[]) args), System.out::println);
    }

    @Override
    public Integer call() throws Exception {
        Table table = new Table("", "results", "events/s");
        List<Set<Count<Long>>> results = new ArrayList<>();
        Path dir = Files.createTempDirectory("hotpath-");
        try {
            for (Way way : Way.values()) {
                List<Count<Long>> counts = count(way, dir);
                long speed = (long) (number / 2 / ((System.nanoTime() - HALF_NANOS.get()) / 1e9)); // of the second half
                table.add(way, (long) counts.size(), speed);
                results.add(Set.copyOf(counts));
            }
        } finally {
            delete(dir);
        }
        boolean areSame = Set.copyOf(results).size() == 1;
        System.out.print(table + (areSame ? "The results are the same.\n" : "The results differ.\n"));
        return areSame ? 0 : 1;
    }

    /** Deletes it while Flink's clusters, which end after their jobs, may delete their files in it. */
    private static void delete(Path dir) throws IOException {
        boolean isDeleted = false;
        while (!isDeleted) {
            try {
                MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE);
                isDeleted = true;
            } catch (FileSystemException e) {
                List<Throwable> causes = List.of(e.getSuppressed());
                if (causes.isEmpty() || !causes.stream().allMatch(NoSuchFileException.class::isInstance)) {
                    throw e;
                }
            }
        }
    }

    private List<Count<Long>> count(Way way, Path dir) throws Exception {
        GeneratedEvents events = new GeneratedEvents(keys);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(SUBTASKS, configuration(dir));
        environment.getConfig().enableObjectReuse(); // events are immutable
        long half = number / 2;
        DataStream<Event> stream = environment
                .fromSource(new NumberSequenceSource(0, number - 1), events.watermarks(SLIDE), "numbers")
                .setParallelism(1)
                .map(event -> made(events, event, half))
                .returns(TypeInformation.of(Event.class))
                .setParallelism(1);
        List<Count<Long>> results = new ArrayList<>();
        CloseableIterator<Count<Long>> counts =
                way.count(stream.keyBy(Event::key, Types.LONG), size, SLIDE).executeAndCollect();
        try {
            counts.forEachRemaining(results::add);
        } finally {
            counts.close();
        }
        return results;
    }

    private static Event made(GeneratedEvents events, long event, long half) {
        if (event == half) {
            HALF_NANOS.set(System.nanoTime());
        }
        return events.event(event);
    }

    private static Configuration configuration(Path dir) {
        Configuration configuration = new Configuration();
        for (var address : List.of(
                JobManagerOptions.ADDRESS,
                JobManagerOptions.BIND_HOST,
                TaskManagerOptions.HOST,
                TaskManagerOptions.BIND_HOST,
                RestOptions.ADDRESS,
                RestOptions.BIND_ADDRESS)) {
            configuration.set(address, "localhost");
        }
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(RpcOptions.ASK_TIMEOUT_DURATION, PATIENCE);
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
        configuration.set(CoreOptions.TMP_DIRS, dir.toString());
        configuration.set(WebOptions.TMP_DIR, dir.toString()); // or it leaves folders in that of the JVM
        return configuration;
    }
}
