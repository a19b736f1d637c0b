package io.github.hotpath.examples.stream;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The arguments of {@link CountJob}, which are checked before the job is submitted. */
@Command(
        name = "flink run [-p SUBTASKS] [-D OPTION=VALUE]... hotpath-example-stream.jar",
        description = "Counts the events of each key in a sliding window. An event is a line, KEY,MILLISECONDS.",
        sortOptions = false,
        usageHelpWidth = 110)
final class JobArguments {
    @ArgGroup
    private Sources sources = new Sources();

    @Option(
            names = "--out-of-order",
            paramLabel = "DURATION",
            converter = Converters.Durations.class,
            description = "how much earlier an event may be than one before it; default: ${DEFAULT-VALUE}")
    Duration outOfOrder = Duration.ofSeconds(2);

    @Option(
            names = "--size",
            paramLabel = "DURATION",
            converter = Converters.PositiveDurations.class,
            description = "of a window; default: ${DEFAULT-VALUE}")
    Duration size = Duration.ofMinutes(1);

    @Option(
            names = "--slide",
            paramLabel = "DURATION",
            converter = Converters.PositiveDurations.class,
            description = "from the end of a window to that of the next; default: ${DEFAULT-VALUE}")
    Duration slide = Duration.ofSeconds(1);

    @Option(
            names = "--way",
            paramLabel = "WAY",
            converter = Converters.Ways.class,
            description = "hotpath, or flink for Flink's own window; default: hotpath")
    Way way = Way.HOTPATH;

    @Option(
            names = "--hot-keys",
            paramLabel = "KEY",
            split = ",",
            description = "keys with most of the events: each is counted in parts, on all subtasks")
    Set<Long> hotKeys = Set.of();

    @Option(
            names = "--strict",
            description = "fail at a line that is no event; default: the first are logged, and all of them counted")
    boolean strict;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "write the results to files: lines KEY,END,COUNT; default: print them")
    @Nullable
    String output;

    @Option(
            names = "--late",
            paramLabel = "DIR",
            description = "write the events that come too late for all of their windows to files")
    @Nullable
    String late;

    @Option(names = "--help", usageHelp = true, description = "print this, and submit no job")
    boolean help;

    @Spec
    private CommandSpec spec;

    private JobArguments() {}

    /** Where events come from: one of these. */
    private static final class Sources {
        @Option(
                names = "--source",
                paramLabel = "DIR",
                description = "count the events in the files of a directory, the oldest file first")
        private @Nullable String files;

        @ArgGroup(exclusive = false)
        private @Nullable Kafka kafka;

        @ArgGroup(exclusive = false)
        private @Nullable Generated generated;
    }

    /** The options of Kafka. */
    static final class Kafka {
        @Option(
                names = "--kafka",
                required = true,
                paramLabel = "SERVERS",
                description = "count the events in the values of a topic's records")
        String servers = "";

        @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "the topic that is read")
        String topic = "";

        @Option(
                names = "--results",
                paramLabel = "TOPIC",
                description = "write the results to a topic: the key of a record is KEY,END and the value COUNT")
        @Nullable
        String results;

        @Option(
                names = "--idle",
                paramLabel = "DURATION",
                converter = Converters.PositiveDurations.class,
                description = "do not wait for a partition that has had no record for so long; default: wait")
        @Nullable
        Duration idle;
    }

    private static final class Generated {
        @Option(
                names = "--rate",
                paramLabel = "NUMBER",
                converter = Converters.PositiveNumbers.class,
                description = "without a source, so many events are generated in a second; default: ${DEFAULT-VALUE}")
        private int rate = 10_000;

        @Option(
                names = "--events",
                paramLabel = "NUMBER",
                converter = Converters.PositiveNumbers.class,
                description = "how many events are generated; default: ${DEFAULT-VALUE}")
        private int events = 10_000_000;

        @Option(
                names = "--keys",
                paramLabel = "NUMBER",
                converter = Converters.PositiveNumbers.class,
                description = "how many keys they have; default: ${DEFAULT-VALUE}")
        private int keys = 100;
    }

    /**
     * Reads arguments.
     *
     * @param checkpoints whether the job makes checkpoints
     * @throws ParameterException if an argument is wrong
     */
    static JobArguments of(boolean checkpoints, String... args) {
        JobArguments arguments = new JobArguments();
        new CommandLine(arguments).parseArgs(args);
        if (!arguments.help) {
            arguments.check(checkpoints);
        }
        return arguments;
    }

    private void check(boolean checkpoints) {
        Kafka kafka = sources.kafka;
        reject(way != Way.HOTPATH && !hotKeys.isEmpty(), "--hot-keys: not with --way flink");
        reject(output != null && kafka != null && kafka.results != null, "--output: not with --results");
        checkFiles("--output", output, checkpoints);
        checkFiles("--late", late, checkpoints);
        if (sources.files != null) {
            existing("--source", sources.files);
        }
    }

    /** Files of results can be seen after a checkpoint. */
    private void checkFiles(String option, @Nullable String dir, boolean checkpoints) {
        if (dir != null) {
            reject(!checkpoints, option + ": needs checkpoints, such as -D execution.checkpointing.interval=10s");
            existing(option, dir);
        }
    }

    private void reject(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /** Returns the path of a directory, which is not relative: on the cluster's machines it would be another one. */
    private Path existing(String option, String dir) {
        try {
            Path path = new Path(dir);
            FileSystem files = path.getFileSystem();
            if (files.exists(path) && files.getFileStatus(path).isDir()) {
                return path.makeQualified(files);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + " " + dir + ": " + e.getMessage(), e);
        }
        throw new ParameterException(spec.commandLine(), option + " " + dir + ": no directory");
    }

    /** Returns the path of {@code dir}, which was checked. */
    Path path(String dir) {
        return existing("", dir);
    }

    /**
     * Returns the input.
     *
     * @param subtasks of the job
     * @throws ParameterException if Kafka does not have the topic
     */
    Input input(int subtasks) throws InterruptedException {
        if (sources.files != null) {
            return Inputs.files(path(sources.files), outOfOrder, slide);
        }
        Kafka kafka = sources.kafka;
        if (kafka != null) {
            int readers = Math.min(subtasks, partitions(kafka));
            return Inputs.topic(kafka.servers, kafka.topic, readers, outOfOrder, slide, kafka.idle);
        }
        Generated generated = sources.generated == null ? new Generated() : sources.generated;
        return Inputs.generated(generated.events, generated.keys, generated.rate);
    }

    private int partitions(Kafka kafka) throws InterruptedException {
        try {
            return Topics.partitions(kafka.servers, kafka.topic);
        } catch (ExecutionException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--topic " + kafka.topic + ": not found at " + kafka.servers + ": "
                            + e.getCause().getMessage(),
                    e);
        }
    }

    /** Returns the options of Kafka, if it is the source. */
    @Nullable
    Kafka kafka() {
        return sources.kafka;
    }

    /** Returns how the program is called. */
    String usage() {
        return spec.commandLine().getUsageMessage();
    }
}
