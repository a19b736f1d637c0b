package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.examples.replay.LineFormat.Request;
import io.github.hotpath.examples.replay.Times.Unit;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormatTest {
    private static CsvFormat format(Unit unit, Integer... columns) {
        return new CsvFormat(List.of(columns), new Times(unit, ZoneOffset.UTC));
    }

    private static Request read(String line) throws UnreadableLineException {
        return format(Unit.S, 1, 2, 3).read(line);
    }

    @ParameterizedTest
    @CsvSource({
        "S,2,2000000000",
        "S,0.5,500000000",
        "S,-1.25,-1250000000",
        "S,1.0000000019,1000000001",
        "MS,1763803800125,1763803800125000000",
        "MS,1.5,1500000",
        "US,7,7000",
        "US,7.9999,7999",
        "NS,9,9",
        "NS,9.9,9",
        "S,4611686018,4611686018000000000",
        "S,1970-01-01T00:00:01.5Z,1500000000",
        "NS,1970-01-01T01:00:00+01:00,0",
        "S,1970-01-01 00:00:01Z,1000000000",
        "S,1970-01-01T00:00:01.5,1500000000"
    })
    void read_time_isExact(Unit unit, String time, long nanos) throws UnreadableLineException {
        assertThat(format(unit, 1, 2, 3).read(time + ",a")).isEqualTo(new Request(nanos, "a", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", ".5", "5.", "1.2.3", "1e9", "yesterday", "12345678901234567890", "2026-11-22"})
    void read_noTime_isUnreadable(String time) {
        assertThatThrownBy(() -> read(time + ",a"))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageStartingWith("'" + time + "': no time, such as ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1763803800125",
                "4611686019",
                "-4611686019",
                "-9223372036.854775808",
                "9999999999999999999",
                "9999-01-01T00:00:00Z"
            })
    void read_timeThatDoesNotFit_namesTheUnit(String time) {
        assertThatThrownBy(() -> read(time + ",a"))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageContaining("see --time-unit");
    }

    @Test
    void read_columns_areChosen() throws UnreadableLineException {
        CsvFormat format = format(Unit.S, 4, 1, 2);

        assertThat(format.read("\"a, \"\"b\"\"\",70,\"\",3,more"))
                .isEqualTo(new Request(3_000_000_000L, "a, \"b\"", 70));
    }

    @Test
    void read_permits_mayBeMissing() throws UnreadableLineException {
        assertThat(read("0,a").permits()).isEqualTo(1);
        assertThat(read("0,a,").permits()).isEqualTo(1);
        assertThat(read("0,a,2147483647").permits()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void read_noColumnOfPermits_isOnePermit() throws UnreadableLineException {
        assertThat(format(Unit.S, 1, 2).read("0,a,x").permits()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "1.5", "2147483648", " 1"})
    void read_noPermits_isUnreadable(String permits) {
        assertThatThrownBy(() -> read("0,a," + permits))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessage("'" + permits + "': no permits, from 1 to 2147483647");
    }

    @Test
    void read_emptyKey_isNone() throws UnreadableLineException {
        assertThat(read("0,,1").key()).isNull();
        assertThat(read("0,\"\",1").key()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,\"a", "0,\"a\"b", "0,\"a\"\""})
    void read_brokenQuotes_areUnreadable(String line) throws UnreadableLineException {
        CsvFormat format = format(Unit.S, 1, 2, 3);

        assertThatThrownBy(() -> format.read(line))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageStartingWith("'" + line + "': no comma-separated values (");
        assertThat(format.read("0,a").key()).as("the next line").isEqualTo("a");
    }

    @Test
    void read_fewerColumns_areUnreadable() {
        assertThatThrownBy(() -> read("0"))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessage("no column 2: there are 1");
    }

    @Test
    void isHeader_noDigitInTheTime() {
        CsvFormat format = format(Unit.S, 1, 2, 3);

        assertThat(format.isHeader("time,key 1,permits")).isTrue();
        assertThat(format.isHeader("1,key,permits")).isFalse();
        assertThat(format.isHeader("\"time")).isFalse();
    }
}
