package io.github.hotpath.examples.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine.Option;

/** A job that counts the records of a topic of Kafka by their keys, in the time of the records. */
public final class CountTopic extends CountJob {
    @Option(names = "--kafka", required = true, paramLabel = "SERVERS", description = "the brokers")
    private String servers = "";

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "the topic that is read")
    private String topic = "";

    @Option(
            names = "--results",
            required = true,
            paramLabel = "TOPIC",
            description = "the topic of the results: the key of a record is KEY,END and the value COUNT")
    private String results = "";

    CountTopic() {}

    /** Submits the job. */
    public static void main(String[] args) throws Exception {
        submit(new CountTopic(), args);
    }

    @Override
    void add(StreamExecutionEnvironment environment) {
        KafkaSource<String> source = KafkaSource.<String>builder()
                .setBootstrapServers(servers)
                .setTopics(topic)
                .setGroupId("sliding-counts")
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setDeserializer(new Keys())
                .setProperty("isolation.level", "read_committed") // and no records of transactions that were aborted
                .build();
        environment
                .fromSource(source, SlideWatermarks.of(outOfOrder, slide), "records")
                .uid("records")
                .keyBy(key -> key, Types.STRING)
                .process(new SlidingCounts<String, String>(size, slide))
                .returns(COUNT)
                .name("counts")
                .uid("counts")
                .sinkTo(KafkaSink.<Count<String>>builder()
                        .setBootstrapServers(servers)
                        .setRecordSerializer(new Results(results))
                        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE) // by default a failure loses results
                        .build())
                .uid("results");
    }

    /** The keys of records; those without a key are not counted. */
    private static final class Keys implements KafkaRecordDeserializationSchema<String> {
        private static final long serialVersionUID = 1;

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<String> out) {
            if (record.key() != null) {
                out.collect(new String(record.key(), UTF_8));
            }
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }

    private record Results(String topic) implements KafkaRecordSerializationSchema<Count<String>> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(Count<String> count, KafkaSinkContext context, Long time) {
            byte[] key = (count.key() + "," + count.end()).getBytes(UTF_8);
            return new ProducerRecord<>(topic, key, Long.toString(count.count()).getBytes(UTF_8));
        }
    }
}
