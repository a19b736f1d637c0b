package io.github.hotpath.examples.stream;

import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.fs.Path;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/** The inputs of {@link CountJob}. */
final class Inputs {
    private static final Duration DISCOVERY_INTERVAL = Duration.ofSeconds(1);

    /** How late some of the generated events are. */
    private static final long LATENESS_MILLIS = 30_000;

    private Inputs() {}

    /**
     * Returns the files of a directory, and those that are moved there later, the oldest first, one after the other. So
     * there is one reader: of several, the first to have no file would hold all results back, and if it were declared
     * idle instead, a slow one would be, and its events would be late.
     */
    static Input files(Path dir, Duration outOfOrder, Duration slide) {
        FileSource<Line> source = FileSource.forBulkFileFormat(new LineFormat(), dir)
                .setSplitAssigner(OldestFirst::new)
                .monitorContinuously(DISCOVERY_INTERVAL)
                .build();
        return new Input("files", source, SlideWatermarks.ofLines(outOfOrder, slide), 1);
    }

    /**
     * Returns the records of a topic of Kafka, from its beginning.
     *
     * @param readers at most as many as there are partitions
     * @param idle after how long without a record a partition no longer holds results back; null for never
     */
    static Input topic(
            String servers, String topic, int readers, Duration outOfOrder, Duration slide, @Nullable Duration idle) {
        KafkaSource<Line> source = KafkaSource.<Line>builder()
                .setBootstrapServers(servers)
                .setTopics(topic)
                .setGroupId("sliding-counts")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
                .setDeserializer(new TopicLines())
                .build();
        var watermarks = SlideWatermarks.ofLines(outOfOrder, slide);
        return new Input("kafka", source, idle == null ? watermarks : watermarks.withIdleness(idle), readers);
    }

    /** Returns generated events, {@code rate} of them in a second, from one source, so that their order is known. */
    static Input generated(long events, int keys, int rate) {
        GeneratedEvents generated = new GeneratedEvents(events, keys, rate, LATENESS_MILLIS);
        DataGeneratorSource<Line> source = new DataGeneratorSource<>(
                number -> new Line("", number, generated.event(number), ""),
                events,
                RateLimiterStrategy.perSecond(rate),
                TypeInformation.of(Line.class));
        return new Input("numbers", source, generated.watermarks(Line::number), 1);
    }
}
