package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CountTopicTest {
    /** Whether a failure loses results is a matter of moments, so this looks at the setting alone. */
    @Test
    void add_results_areWrittenBeforeACheckpointEnds() {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        CommandLine.populateCommand(new CountTopic(), "--kafka=localhost:9092", "--topic=events", "--results=counts")
                .add(environment);

        assertThat(environment.getTransformations())
                .last()
                .extracting("sink.deliveryGuarantee")
                .isEqualTo(DeliveryGuarantee.AT_LEAST_ONCE);
    }
}
