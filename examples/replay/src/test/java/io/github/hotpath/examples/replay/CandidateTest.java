package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidateTest {
    @Test
    void parse_limits_areInOrder() {
        Candidate candidate = Candidate.parse("60/m, 1000/3600s");

        assertThat(candidate.limits())
                .containsExactly(Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));
        assertThat(candidate).hasToString("60/1m,1000/1h");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "60|60' is no limit, such as 60/1m",
                "60/1m,|' is no limit",
                "-1/1m|-1/1m' is no limit",
                "999999999999999999999/1m|is no limit",
                "60/1y|1y' is no time span"
            })
    void parse_other_isRejected(String text, String message) {
        assertThatThrownBy(() -> Candidate.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
