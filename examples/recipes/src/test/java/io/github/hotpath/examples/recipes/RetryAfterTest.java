package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
    private static final String NOON = "Tue, 24 Nov 2026 12:00:00 GMT";

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.5, 1",
        "1.5, 2",
        "2.0, 2",
        "120, 120",
        "' 30 ', 30",
        "'Tue, 24 Nov 2026 12:00:30 GMT', 30",
        "'Tuesday, 24-Nov-26 12:00:30 GMT', 30",
        "Tue Nov 24 12:00:30 2026, 30",
        "Tue Dec  1 12:00:00 2026, 604800",
        "'Tue, 24 Nov 2026 11:00:00 GMT', 0",
        "Sun Nov  6 08:49:37 1994, 0",
    })
    void delay_anyForm_told(String value, long seconds) {
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            assertThat(RetryAfter.delay(headers(value, NOON))).contains(Duration.ofSeconds(seconds));
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999", "99999999999999999999999999999999999999999999999999"})
    void delay_veryLong_isVeryLong(String value) {
        assertThat(RetryAfter.delay(headers(value, NOON)))
                .hasValueSatisfying(delay -> assertThat(delay).isGreaterThan(Duration.ofDays(10_000_000)));
    }

    /** The answer's own date counts, in any form: not the clock of the client. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Tue, 24 Nov 2026 12:01:00 GMT", "Tuesday, 24-Nov-26 12:01:00 GMT", "Tue Nov 24 12:01:00 2026"})
    void delay_dateOfTheAnswer_isWhatItIsComparedWith(String date) {
        assertThat(RetryAfter.delay(headers("Tue, 24 Nov 2026 12:01:30 GMT", date)))
                .contains(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-1",
                "+1",
                "1e9",
                "1.",
                ".5",
                "NaN",
                "\u0663",
                "Wed, 24 Nov 2026 12:00:30 GMT",
                "Tue, 24 Nov 2026"
            })
    void delay_cannotBeRead_none(String value) {
        assertThat(RetryAfter.delay(headers(value, NOON))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "120, 50, 70",
        "120, 120, 0",
        "120, 999999999999999999, 0",
        "120, 9999999999999999999, 120",
        "120, soon, 120",
        "'Tue, 24 Nov 2026 12:00:30 GMT', 10, 20",
    })
    void delay_answerOfACache_withoutItsAge(String value, String age, long seconds) {
        Map<String, List<String>> fields =
                Map.of("Retry-After", List.of(value), "Date", List.of(NOON), "Age", List.of(age));

        assertThat(RetryAfter.delay(HttpHeaders.of(fields, (name, each) -> true)))
                .contains(Duration.ofSeconds(seconds));
    }

    @Test
    void delay_dateAndNoneOfTheAnswer_none() {
        assertThat(RetryAfter.delay(headers(NOON, "today"))).isEmpty();
        assertThat(RetryAfter.delay(HttpHeaders.of(Map.of("Retry-After", List.of(NOON)), (name, value) -> true)))
                .isEmpty();
    }

    private static HttpHeaders headers(String retryAfter, String date) {
        return HttpHeaders.of(Map.of("Retry-After", List.of(retryAfter), "Date", List.of(date)), (name, value) -> true);
    }
}
