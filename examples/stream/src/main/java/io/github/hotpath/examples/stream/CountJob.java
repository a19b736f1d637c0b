package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A job for a cluster that counts the events of each key in a sliding window, and what its arguments are. */
@Command(description = "Counts the events of each key in a sliding window.", usageHelpWidth = 110)
abstract class CountJob {
    static final TypeInformation<Count<String>> COUNT = TypeInformation.of(new TypeHint<>() {});

    @Option(names = "--size", paramLabel = "DURATION", description = "of a window: ${DEFAULT-VALUE}")
    Duration size = Duration.ofMinutes(1);

    @Option(
            names = "--slide",
            paramLabel = "DURATION",
            description = "from the end of a window to that of the next: ${DEFAULT-VALUE}")
    Duration slide = Duration.ofSeconds(1);

    @Option(
            names = "--out-of-order",
            paramLabel = "DURATION",
            description = "how much earlier an event may be than two in a row before it: ${DEFAULT-VALUE}")
    Duration outOfOrder = Duration.ofSeconds(2);

    @Option(names = "--help", usageHelp = true, description = "print this, and submit no job")
    private boolean help;

    /** Adds the operators of the job. */
    abstract void add(StreamExecutionEnvironment environment);

    /** Submits {@code job}, unless an argument is wrong. */
    static void submit(CountJob job, String... args) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        CommandLine line = new CommandLine(job).setCommandName(job.getClass().getSimpleName());
        try {
            line.parseArgs(args);
            if (job.help) {
                line.usage(System.out);
                return;
            }
            environment.getConfig().enableObjectReuse(); // events and counts are immutable
            environment.getCheckpointConfig().enableUnalignedCheckpoints(false); // SlidingCounts needs aligned ones
            job.add(environment);
        } catch (ParameterException | IllegalArgumentException e) { // in a JobManager, so it does not exit
            throw new ProgramParametrizationException(line.getCommandName() + ": " + e.getMessage());
        }
        environment.execute("sliding counts");
    }
}
