package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.support.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A broker of Kafka in a process of its own, on the loopback address. */
final class Broker implements AutoCloseable {
    private static final short ONE_REPLICA = 1;
    private static final int PATIENCE = 600_000; // milliseconds: longer than a test

    /** So many offsets take what is aborted: an event, and the mark that it is. */
    private static final int ABORTED = 2;

    private final Processes processes;
    private final String servers;
    private final Admin admin;

    /** Starts it, with its files in {@code dir}. */
    Broker(Path dir) throws IOException, InterruptedException {
        processes = new Processes(dir, Pattern.compile(".*/slf4j-nop/.*"));
        int port = Ports.free();
        servers = "localhost:" + port;
        Path properties = dir.resolve("server.properties");
        Files.writeString(properties, configuration(port, Ports.free(), dir.resolve("logs")));
        List<String> options = List.of("-Xmx192m");
        Process format = processes.start(
                "format",
                options,
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                "AAAAAAAAAAAAAAAAAAAAAA",
                "--config",
                properties.toString());
        if (format.waitFor() != 0) {
            throw new AssertionError(processes.log("format"));
        }
        Process broker = processes.start("broker", options, "kafka.Kafka", properties.toString());
        processes.await("the broker", () -> {
            if (!broker.isAlive()) {
                throw new AssertionError(processes.log("broker"));
            }
            return answers(port);
        });
        admin = Admin.create(Map.of("bootstrap.servers", servers, "default.api.timeout.ms", PATIENCE));
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String configuration(int port, int controllerPort, Path logs) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@localhost:%2$d
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://localhost:%1$d,CONTROLLER://localhost:%2$d
                advertised.listeners=PLAINTEXT://localhost:%1$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%3$s
                auto.create.topics.enable=false
                log.cleaner.dedupe.buffer.size=4194304
                offsets.topic.num.partitions=1
                offsets.topic.replication.factor=1
                transaction.state.log.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                """.formatted(port, controllerPort, logs);
    }

    String servers() {
        return servers;
    }

    void createTopic(String topic, int partitions) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(topic, partitions, ONE_REPLICA)))
                .all()
                .get();
    }

    /** Returns how many of the events that {@link #send} sent first to a partition a group says that it has read. */
    long read(String group, String topic, int partition) throws IOException, InterruptedException {
        try {
            OffsetAndMetadata next = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, partition));
            return next == null ? 0 : next.offset() - ABORTED;
        } catch (ExecutionException e) {
            throw new IOException(e);
        }
    }

    /** Sends events to a partition, in order, after the first of them in a transaction that is aborted. */
    void send(String topic, int partition, List<Event> events) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                servers,
                "linger.ms",
                5,
                "max.block.ms",
                PATIENCE,
                "delivery.timeout.ms",
                PATIENCE,
                "transactional.id",
                "events");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(record(topic, partition, events.get(0)));
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            events.forEach(event -> producer.send(record(topic, partition, event)));
            producer.commitTransaction();
        }
    }

    private static ProducerRecord<String, String> record(String topic, int partition, Event event) {
        return new ProducerRecord<>(topic, partition, event.time(), Long.toString(event.key()), "");
    }

    /** Reads a topic of one partition, from its beginning; each call of {@link #next} returns what has come. */
    final class Reader implements AutoCloseable {
        private final KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                new StringDeserializer(),
                new StringDeserializer());

        Reader(String topic) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
        }

        List<ConsumerRecord<String, String>> next() {
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            return records;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        processes.close();
    }
}
