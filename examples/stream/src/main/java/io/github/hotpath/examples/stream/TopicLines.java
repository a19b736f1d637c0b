package io.github.hotpath.examples.stream;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the values of Kafka's records, with the partition and the offset. */
final class TopicLines implements KafkaRecordDeserializationSchema<Line> {
    private static final long serialVersionUID = 1;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Line> out) {
        String text = record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8);
        out.collect(Line.of(record.topic() + "-" + record.partition(), record.offset(), text));
    }

    @Override
    public TypeInformation<Line> getProducedType() {
        return TypeInformation.of(Line.class);
    }
}
