package io.github.hotpath.examples.stream;

import java.time.Duration;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ParameterTool;

/**
 * The job for a cluster: prints the counts of each key in a sliding window.
 *
 * <pre>flink run [-p PARALLELISM] [-D OPTION=VALUE ...] hotpath-example-stream.jar
 *     [--source DIR] [--out-of-order PT2S] [--size PT1M] [--slide PT1S] [--way hotpath|flink]
 *     [--rate 10000] [--events 10000000] [--keys 100]</pre>
 *
 * <p>With {@code --source} the events are the lines of the files in a directory, also of those that are moved there
 * later, in the form {@code KEY,MILLISECONDS}. With none they are generated: {@code --rate} of them in a second. Where
 * checkpoints go, how often, and the state backend are options of Flink.
 */
public final class CountJob {
    private CountJob() {}

    /** Starts the job. */
    public static void main(String[] args) throws Exception {
        ParameterTool parameters = ParameterTool.fromArgs(args);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        environment.getConfig().enableObjectReuse(); // events are immutable
        environment.getCheckpointConfig().enableUnalignedCheckpoints(false); // SlidingCounts needs aligned ones
        DataStream<Event> events =
                parameters.has("source") ? files(parameters, environment) : generated(parameters, environment);
        Way.valueOf(parameters.get("way", "hotpath").toUpperCase(Locale.ROOT))
                .count(
                        events.keyBy(Event::key, Types.LONG),
                        duration(parameters, "size", "PT1M"),
                        duration(parameters, "slide", "PT1S"))
                .uid("counts")
                .print()
                .uid("print");
        environment.execute("sliding counts");
    }

    private static DataStream<Event> files(ParameterTool parameters, StreamExecutionEnvironment environment) {
        FileSource<String> source = FileSource.forRecordStreamFormat(
                        new TextLineInputFormat(), new Path(parameters.get("source")))
                .monitorContinuously(Duration.ofSeconds(1))
                .build();
        return environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "files")
                .uid("files")
                .map(CountJob::event)
                .returns(TypeInformation.of(Event.class))
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Event>forBoundedOutOfOrderness(duration(parameters, "out-of-order", "PT2S"))
                                .withTimestampAssigner((event, time) -> event.time()))
                .uid("watermarks");
    }

    private static Event event(String line) {
        String[] parts = line.split(",");
        return new Event(Long.parseLong(parts[0].strip()), Long.parseLong(parts[1].strip()));
    }

    /** Returns events from one source: of several, each would have another part of the time. */
    private static DataStream<Event> generated(ParameterTool parameters, StreamExecutionEnvironment environment) {
        int rate = parameters.getInt("rate", 10_000);
        GeneratedEvents events = new GeneratedEvents(
                parameters.getLong("events", 10_000_000), parameters.getInt("keys", 100), rate, 30_000);
        DataGeneratorSource<Long> source = new DataGeneratorSource<>(
                number -> number, events.events(), RateLimiterStrategy.perSecond(rate), Types.LONG);
        return environment
                .fromSource(source, events.watermarks(), "numbers")
                .uid("numbers")
                .setParallelism(1)
                .map(events::event)
                .returns(TypeInformation.of(Event.class))
                .setParallelism(1);
    }

    private static Duration duration(ParameterTool parameters, String name, String otherwise) {
        return Duration.parse(parameters.get(name, otherwise));
    }
}
