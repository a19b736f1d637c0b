package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.Limiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Handles the records of Kafka's topics at a limited rate. While it may handle none, it does not sleep, which would put
 * it out of its group after {@code max.poll.interval.ms}: it pauses its partitions and polls on. Its consumer needs
 * {@code enable.auto.commit=false}: what is polled is not handled yet. For one thread, as the consumer.
 */
final class LimitedConsumer<K, V> {
    private final Consumer<K, V> consumer;
    private final Limiter limiter;
    private final LongSupplier nanoClock;
    private final Handler<K, V> handler;

    /** Polled and not handled yet, and only of partitions that are assigned. */
    private final Queue<ConsumerRecord<K, V>> waiting = new ArrayDeque<>();

    LimitedConsumer(Consumer<K, V> consumer, Limiter limiter, LongSupplier nanoClock, Handler<K, V> handler) {
        this.consumer = consumer;
        this.limiter = limiter;
        this.nanoClock = nanoClock;
        this.handler = handler;
    }

    /** Handles a record. One that was handled before a crash, and not committed, comes again. */
    interface Handler<K, V> {
        void handle(ConsumerRecord<K, V> record);
    }

    void subscribe(Collection<String> topics) {
        consumer.subscribe(topics, new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
                waiting.removeIf(record -> revoked.contains(partition(record))); // another consumer handles them
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> assigned) {}
        });
    }

    /** Handles what the limit allows at the moment, and polls once. To be called in a loop. */
    void poll(Duration timeout) {
        long delayNanos = handleWaiting();
        if (waiting.isEmpty()) {
            consumer.resume(consumer.paused());
        } else {
            consumer.pause(consumer.assignment()); // also those assigned since
        }
        // In whole milliseconds, rounded up: otherwise it would poll again and again in the last one.
        Duration delay = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(delayNanos) + 1);
        Duration atMost = waiting.isEmpty() || timeout.compareTo(delay) < 0 ? timeout : delay;
        consumer.poll(atMost).forEach(waiting::add);
    }

    /** Returns the nanoseconds until the first of those that wait may be handled, or 0 if none waits. */
    private long handleWaiting() {
        Map<TopicPartition, OffsetAndMetadata> handled = new HashMap<>();
        try {
            while (!waiting.isEmpty()) {
                long delayNanos = limiter.tryAcquireOrDelay(nanoClock.getAsLong(), 1);
                if (delayNanos > 0) {
                    return delayNanos;
                }
                ConsumerRecord<K, V> record = waiting.element();
                handler.handle(record);
                waiting.remove(); // if it could not be handled, it stays
                handled.put(partition(record), new OffsetAndMetadata(record.offset() + 1));
            }
            return 0;
        } finally {
            if (!handled.isEmpty()) {
                consumer.commitSync(handled);
            }
        }
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }
}
