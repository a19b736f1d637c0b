package io.github.hotpath.examples.stream;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/**
 * The job for a cluster: counts the events of each key in a sliding window. Its manual is the README of this example,
 * and {@code --help} prints the options.
 *
 * <pre>flink run [-p SUBTASKS] [-D OPTION=VALUE ...] hotpath-example-stream.jar [--source DIR] ...</pre>
 */
public final class CountJob {
    private static final OutputTag<Event> LATE = new OutputTag<>("late", TypeInformation.of(Event.class));

    private final JobArguments arguments;

    private CountJob(JobArguments arguments) {
        this.arguments = arguments;
    }

    /** Submits the job, unless an argument is wrong. */
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        try {
            JobArguments arguments =
                    JobArguments.of(environment.getCheckpointConfig().isCheckpointingEnabled(), args);
            if (arguments.help) {
                System.out.print(arguments.usage());
                return;
            }
            new CountJob(arguments).add(environment);
        } catch (ParameterException e) { // this program may run in a JobManager, so it does not exit
            throw new ProgramParametrizationException("CountJob: " + e.getMessage() + "; --help prints the options");
        }
        environment.execute("sliding counts");
    }

    private void add(StreamExecutionEnvironment environment) throws InterruptedException {
        environment.getConfig().enableObjectReuse(); // lines, events and counts are immutable
        environment.getCheckpointConfig().enableUnalignedCheckpoints(false); // SlidingCounts needs aligned ones
        Input input = arguments.input(environment.getParallelism());
        SingleOutputStreamOperator<Event> events = input.read(environment)
                .flatMap(new ReadableLines(arguments.strict, settings()))
                .returns(TypeInformation.of(Event.class))
                .name("lines")
                .uid("lines")
                .setParallelism(input.readers());
        OutputTag<Event> late = arguments.late == null ? null : LATE;
        if (arguments.hotKeys.isEmpty()) {
            SingleOutputStreamOperator<Count<Long>> counts =
                    arguments.way.count(events, arguments.size, arguments.slide, late);
            write(counts.name("counts").uid("counts"), counts);
        } else {
            SumOfParts.Sums sums =
                    SumOfParts.of(events, arguments.hotKeys, SumOfParts.PARTS, arguments.size, arguments.slide, late);
            write(sums.sums().name("sums").uid("sums"), sums.parts());
        }
    }

    /** What the state of the job depends on. With and without hot keys, it belongs to other keys. */
    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("way", arguments.way.name().toLowerCase(Locale.ROOT));
        settings.put("size", arguments.size.toString());
        settings.put("slide", arguments.slide.toString());
        settings.put("hot keys", arguments.hotKeys.isEmpty() ? "none" : "some");
        return settings;
    }

    private void write(DataStream<Count<Long>> counts, SingleOutputStreamOperator<?> windows) {
        JobArguments.@Nullable Kafka kafka = arguments.kafka();
        if (arguments.output != null) {
            counts.sinkTo(Outputs.files(arguments.path(arguments.output), CountJob::line))
                    .name("results")
                    .uid("results");
        } else if (kafka != null && kafka.results != null) {
            counts.sinkTo(Outputs.topic(kafka.servers, kafka.results))
                    .name("results")
                    .uid("results");
        } else {
            counts.print().name("results").uid("print");
        }
        if (arguments.late != null) {
            windows.getSideOutput(LATE)
                    .sinkTo(Outputs.files(arguments.path(arguments.late), event -> event.key() + "," + event.time()))
                    .name("late")
                    .uid("late");
        }
    }

    private static String line(Count<Long> count) {
        return count.key() + "," + count.end() + "," + count.count();
    }
}
