package io.github.hotpath.examples.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import picocli.CommandLine.Option;

/**
 * A job that counts the lines {@code KEY,MILLISECONDS} of files, the oldest file first, and of those that are moved into
 * the directory later. The results are files of lines {@code KEY,END,COUNT}, which appear with each checkpoint.
 */
public final class CountFiles extends CountJob {
    private static final Duration DISCOVERY_INTERVAL = Duration.ofSeconds(1);

    @Option(names = "--source", required = true, paramLabel = "DIR", description = "the files of a directory")
    private String source = "";

    @Option(names = "--output", required = true, paramLabel = "DIR", description = "where results are written")
    private String output = "";

    private CountFiles() {}

    /** Submits the job. */
    public static void main(String[] args) throws Exception {
        submit(new CountFiles(), args);
    }

    @Override
    void add(StreamExecutionEnvironment environment) {
        if (!environment.getCheckpointConfig().isCheckpointingEnabled()) {
            throw new IllegalArgumentException("--output: needs checkpoints: -D execution.checkpointing.interval=10s");
        }
        FileSource<String> files = FileSource.forRecordStreamFormat(new TextLineInputFormat(), new Path(source))
                .setSplitAssigner(OldestFirst::new)
                .monitorContinuously(DISCOVERY_INTERVAL)
                .build();
        WatermarkStrategy<String> watermarks = SlideWatermarks.of(outOfOrder, slide);
        Encoder<Count<String>> lines = (count, file) ->
                file.write((count.key() + "," + count.end() + "," + count.count() + "\n").getBytes(UTF_8));
        environment
                .fromSource(files, watermarks.withTimestampAssigner((line, unknown) -> time(line)), "files")
                .setParallelism(1) // reads one after another
                .uid("files")
                .keyBy(CountFiles::key, Types.STRING)
                .process(new SlidingCounts<String, String>(size, slide))
                .returns(COUNT)
                .name("counts")
                .uid("counts")
                .sinkTo(FileSink.forRowFormat(new Path(output), lines)
                        .withBucketAssigner(new BasePathBucketAssigner<>())
                        .withRollingPolicy(OnCheckpointRollingPolicy.build())
                        .build())
                .uid("results");
    }

    private static String key(String line) {
        return line.substring(0, line.lastIndexOf(','));
    }

    private static long time(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(',') + 1));
    }
}
