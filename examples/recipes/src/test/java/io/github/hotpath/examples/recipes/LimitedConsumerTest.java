package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three records a second. */
class LimitedConsumerTest {
    private static final TopicPartition FIRST = new TopicPartition("topic", 0);
    private static final TopicPartition SECOND = new TopicPartition("topic", 1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final FakeClock clock = new FakeClock();
    private final List<Duration> timeouts = new ArrayList<>();
    private final MockConsumer<String, String> kafka = new MockConsumer<>("earliest") {
        @Override
        public synchronized ConsumerRecords<String, String> poll(Duration timeout) {
            timeouts.add(timeout);
            return super.poll(timeout);
        }
    };
    private final Map<TopicPartition, Long> offsets = new HashMap<>();
    private final List<String> handled = new ArrayList<>();
    private final LimitedConsumer<String, String> consumer = new LimitedConsumer<>(
            kafka,
            SlidingWindowLimiter.of(Limit.of(3, Duration.ofSeconds(1))),
            clock,
            record -> handled.add(record.value()));

    @BeforeEach
    void subscribe() {
        consumer.subscribe(Set.of("topic"));
        kafka.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
        kafka.rebalance(Set.of(FIRST));
    }

    @Test
    void poll_moreThanTheLimit_pausesAndPollsOnAndResumes() {
        add(FIRST, "a", "b", "c", "d", "e");
        consumer.poll(LONG);
        consumer.poll(LONG);
        assertThat(handled).containsExactly("a", "b", "c");
        assertThat(kafka.paused()).containsExactly(FIRST);
        add(FIRST, "f");
        clock.advance(Duration.ofSeconds(1));
        consumer.poll(LONG);
        assertThat(handled).hasSize(3);

        clock.advance(Duration.ofNanos(1));
        consumer.poll(LONG);

        assertThat(handled).containsExactly("a", "b", "c", "d", "e");
        assertThat(kafka.paused()).isEmpty();
        consumer.poll(LONG);
        assertThat(handled).endsWith("f");
    }

    /** Longer, and it would handle records too late; much shorter, and it would poll in a busy loop. */
    @Test
    void poll_paused_waitsUntilTheNextIsDue() {
        add(FIRST, "a", "b", "c", "d");
        consumer.poll(LONG);
        clock.advance(Duration.ofMillis(300));
        consumer.poll(LONG);
        clock.advance(Duration.ofMillis(400));
        consumer.poll(LONG);
        consumer.poll(Duration.ofMillis(10));

        assertThat(timeouts)
                .containsExactly(LONG, Duration.ofMillis(1001), Duration.ofMillis(601), Duration.ofMillis(10));
    }

    @Test
    void poll_handled_committedAndNotMore() {
        add(FIRST, "a", "b", "c", "d", "e");
        consumer.poll(LONG);
        assertThat(committed(FIRST)).isNull();

        consumer.poll(LONG);

        assertThat(committed(FIRST)).isEqualTo(new OffsetAndMetadata(3));
    }

    /** Another consumer begins where this one has committed. */
    @Test
    void poll_partitionRevoked_itsRecordsAreNotHandled() {
        kafka.rebalance(Set.of(FIRST, SECOND));
        add(FIRST, "a", "b", "c", "d");
        add(SECOND, "x", "y");
        consumer.poll(LONG);
        kafka.rebalance(Set.of(SECOND));

        for (int i = 0; i < 3; i++) {
            consumer.poll(LONG);
            clock.advance(Duration.ofSeconds(2));
        }

        assertThat(handled).containsExactly("x", "y");
        assertThat(committed(FIRST)).isNull();
    }

    @Test
    void poll_partitionAssignedWhilePaused_isPausedToo() {
        add(FIRST, "a", "b", "c", "d");
        consumer.poll(LONG);
        consumer.poll(LONG);
        kafka.rebalance(Set.of(FIRST, SECOND));

        consumer.poll(LONG);

        assertThat(kafka.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    @Test
    void poll_handlerFails_recordStaysAndThoseBeforeAreCommitted() {
        List<String> seen = new ArrayList<>();
        LimitedConsumer<String, String> failing = new LimitedConsumer<>(
                kafka, SlidingWindowLimiter.of(Limit.of(100, Duration.ofSeconds(1))), clock, record -> {
                    seen.add(record.value());
                    if (seen.size() == 2) {
                        throw new IllegalStateException("down");
                    }
                });
        add(FIRST, "a", "b", "c");
        failing.poll(LONG);

        assertThatIllegalStateException().isThrownBy(() -> failing.poll(LONG));
        assertThat(committed(FIRST)).isEqualTo(new OffsetAndMetadata(1));
        failing.poll(LONG);

        assertThat(seen).containsExactly("a", "b", "b", "c");
        assertThat(committed(FIRST)).isEqualTo(new OffsetAndMetadata(3));
    }

    private OffsetAndMetadata committed(TopicPartition partition) {
        return kafka.committed(Set.of(partition)).get(partition);
    }

    private void add(TopicPartition partition, String... values) {
        for (String value : values) {
            long offset = offsets.merge(partition, 1L, Long::sum) - 1;
            kafka.addRecord(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, value));
        }
    }
}
