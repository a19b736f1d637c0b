package io.github.hotpath.examples.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.util.function.SerializableFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The outputs of {@link CountJob}. */
final class Outputs {
    private Outputs() {}

    /** Returns files of lines, which can be seen after a checkpoint: each line is there once, also after a failure. */
    static <T> Sink<T> files(Path dir, SerializableFunction<T, String> line) {
        Encoder<T> encoder = (element, file) -> write(line.apply(element), file);
        return FileSink.forRowFormat(dir, encoder)
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build();
    }

    private static void write(String line, OutputStream file) throws IOException {
        file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns a topic of Kafka, in which the key of a record is {@code KEY,END} and its value the count. After a
     * failure some come again, with the same value: to a reader that keeps the last value of a key, and in a compacted
     * topic, nothing changes.
     */
    static Sink<Count<Long>> topic(String servers, String topic) {
        return KafkaSink.<Count<Long>>builder()
                .setBootstrapServers(servers)
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new CountRecords(topic))
                .build();
    }

    private record CountRecords(String topic) implements KafkaRecordSerializationSchema<Count<Long>> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(Count<Long> count, KafkaSinkContext context, Long time) {
            return new ProducerRecord<>(
                    topic, bytes(count.key() + "," + count.end()), bytes(Long.toString(count.count())));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
