package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessFormatTest {
    private static final String COMBINED =
            "2001:db8::1 - frank [10/Oct/2026:13:55:36 -0700] \"GET /a\\\"b HTTP/1.1\" 200 2326"
                    + " \"http://example.com/\" \"Agent (X; Y)\"";

    private static long nanos(String time) {
        return Instant.parse(time).getEpochSecond() * 1_000_000_000;
    }

    private static Request read(KeyFormat keys, String line) throws UnreadableLineException {
        return new AccessFormat(keys).read(line);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "1,2001:db8::1",
                "2,null",
                "3,frank",
                "4,10/Oct/2026:13:55:36 -0700",
                "5,GET /a\\\"b HTTP/1.1",
                "6,200",
                "7,2326",
                "8,http://example.com/",
                "9,Agent (X; Y)",
                "10,null",
                "999,null"
            })
    void read_field_isKey(int field, String key) throws UnreadableLineException {
        assertThat(read(KeyFormat.field(field), COMBINED))
                .isEqualTo(new Request(nanos("2026-10-10T20:55:36Z"), key, 1));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"/a..b,/a\\\"b", "^(\\S+) .* (\\d+) ,2001:db8::1", "a(x)?,null", "POST,null"})
    void read_expression_isKey(String expression, String key) throws UnreadableLineException {
        assertThat(read(KeyFormat.matching(Pattern.compile(expression)), COMBINED)
                        .key())
                .isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({
        "01/Jan/1970:00:00:00 +0000,1970-01-01T00:00:00Z",
        "29/Feb/2028:23:59:59 +0530,2028-02-29T18:29:59Z",
        "31/Dec/2026:23:59:60 +0000,2027-01-01T00:00:00Z",
        "01/Jan/1960:00:00:00 -0130,1960-01-01T01:30:00Z"
    })
    void read_time_isExact(String text, String time) throws UnreadableLineException {
        assertThat(read(KeyFormat.field(1), "a - - [" + text + "]").nanos()).isEqualTo(nanos(time));
    }

    @Test
    void read_timesInTurn_areNotMixedUp() throws UnreadableLineException {
        AccessFormat format = new AccessFormat(KeyFormat.field(1));

        for (String time : new String[] {"13:55:36", "13:55:36", "13:55:37", "13:55:36"}) {
            assertThat(format.read("a - - [10/Oct/2026:" + time + " +0000] \"GET\"")
                            .nanos())
                    .isEqualTo(nanos("2026-10-10T" + time + "Z"));
        }
    }

    @Test
    void read_bracketsBeforeTheTime_areNoTime() throws UnreadableLineException {
        assertThat(read(KeyFormat.field(1), "a - [x] y[ [10/Oct/2026:13:55:36 +0000] \"GET [z]\"")
                        .nanos())
                .isEqualTo(nanos("2026-10-10T13:55:36Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "a - - [",
                "a - - [10/Oct/2026:13:55:36 +0000",
                "a - - [10-Oct-2026:13:55:36 +0000]",
                "a - - [1/Oct/2026:13:55:36 +0000] "
            })
    void read_noTime_isUnreadable(String line) {
        assertThatThrownBy(() -> read(KeyFormat.field(1), line))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageContaining("no time, such as [22/Nov/2026:09:30:00 +0100]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "31/Feb/2026:13:55:36 +0000", "00/Oct/2026:13:55:36 +0000", "10/Okt/2026:13:55:36 +0000",
                        "10/anF/2026:13:55:36 +0000",
                "10/Oct/2026:24:55:36 +0000", "10/Oct/2026:13:60:36 +0000", "10/Oct/2026:13:55:61 +0000",
                        "10/Oct/2026:13:55:36 +1801",
                "10/Oct/2260:13:55:36 +0000", "10/Oct/1699:13:55:36 +0000"
            })
    void read_timeThatDoesNotExist_isUnreadable(String time) {
        assertThatThrownBy(() -> read(KeyFormat.field(1), "a - - [" + time + "]"))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageStartingWith("'" + time + "': no ")
                .hasMessageEndingWith("that exists");
    }

    @Test
    void read_unreadable_doesNotChangeTheNextTime() throws UnreadableLineException {
        AccessFormat format = new AccessFormat(KeyFormat.field(1));
        format.read("a - - [10/Oct/2026:13:55:36 +0000]");

        assertThatThrownBy(() -> format.read("a - - [31/Feb/2026:13:55:36 +0000]"))
                .isInstanceOf(UnreadableLineException.class);

        assertThat(format.read("a - - [10/Oct/2026:13:55:36 +0000]").nanos()).isEqualTo(nanos("2026-10-10T13:55:36Z"));
    }
}
