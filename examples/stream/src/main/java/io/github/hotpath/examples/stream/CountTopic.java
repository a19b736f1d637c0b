package io.github.hotpath.examples.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.client.program.ProgramParametrizationException;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * A job for a cluster that counts the records of a topic of Kafka by their keys, in a sliding window of the time of the
 * records.
 */
@Command(
        name = "CountTopic",
        description = "Counts the records of a topic of Kafka by their keys, in a sliding window.",
        usageHelpWidth = 110)
public final class CountTopic {
    static final TypeInformation<Count<String>> COUNT = TypeInformation.of(new TypeHint<>() {});

    @Option(names = "--size", paramLabel = "DURATION", description = "of a window: ${DEFAULT-VALUE}")
    private Duration size = Duration.ofMinutes(1);

    @Option(
            names = "--slide",
            paramLabel = "DURATION",
            description = "from the end of a window to that of the next: ${DEFAULT-VALUE}")
    private Duration slide = Duration.ofSeconds(1);

    @Option(
            names = "--out-of-order",
            paramLabel = "DURATION",
            description = "how much earlier an event may be than two in a row before it: ${DEFAULT-VALUE}")
    private Duration outOfOrder = Duration.ofSeconds(2);

    @Option(names = "--help", usageHelp = true, description = "print this, and submit no job")
    private boolean help;

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

    /** Submits the job, unless an argument is wrong. */
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        CountTopic job = new CountTopic();
        CommandLine line = new CommandLine(job);
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
            throw new ProgramParametrizationException("CountTopic: " + e.getMessage());
        }
        environment.execute("sliding counts");
    }

    /** Adds the operators of the job. */
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
