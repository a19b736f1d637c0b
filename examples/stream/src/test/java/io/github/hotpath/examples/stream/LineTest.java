package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"7,1000;7;1000", " -7 , -1 ;-7;-1", "0,9000000000000;0;9000000000000"})
    void of_event_isRead(String text, long key, long time) {
        Line line = Line.of("file", 3, text);

        assertThat(line).isEqualTo(new Line("file", 3, new Event(key, time), ""));
        assertThat(line.time()).isEqualTo(time);
    }

    /** The last ones are in microseconds, and too large for a number. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "7",
                "key,time",
                "a,1",
                "1,a",
                "1,2,3",
                "1,",
                "1,1763640000000000",
                "1,9999999999999999999"
            })
    void of_otherText_isKept(String text) {
        assertThat(Line.of("file", 3, text)).isEqualTo(new Line("file", 3, null, text));
    }

    @Test
    void fault_otherText_namesPlaceAndForm() {
        Line line = Line.of("events/a.csv", 3, "x");

        assertThat(line.fault()).isEqualTo("line 3 of events/a.csv: 'x' (expected: KEY,MILLISECONDS)");
        assertThat(line.time()).isEqualTo(Long.MIN_VALUE);
    }
}
