package io.github.hotpath.examples.stream;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** What Kafka knows of its topics. */
final class Topics {
    private static final int TIMEOUT_MILLIS = 10_000;

    private Topics() {}

    /**
     * Returns the number of partitions.
     *
     * @throws ExecutionException if there is no such topic, or no server that answers
     */
    static int partitions(String servers, String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                TIMEOUT_MILLIS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                TIMEOUT_MILLIS))) {
            return admin.describeTopics(List.of(topic))
                    .topicNameValues()
                    .get(topic)
                    .get()
                    .partitions()
                    .size();
        }
    }
}
