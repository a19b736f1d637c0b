package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.examples.replay.AccessFormat.Key;
import io.github.hotpath.examples.replay.LineFormat.Request;
import io.github.hotpath.examples.replay.Times.Unit;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessFormatTest {
    private static final String TIME = "[10/Oct/2026:13:55:36 -0700]";
    private static final String REST = "\"GET /a\\\"b HTTP/1.1\" 200 2326 \"http://example.com/\" \"Agent (X; Y)\"";

    private static Request read(Key key, String line) throws UnreadableLineException {
        return new AccessFormat(key, new Times(Unit.S, ZoneOffset.UTC)).read(line);
    }

    @ParameterizedTest
    @CsvSource({
        "ADDRESS,2001:db8::1",
        "USER,frank",
        "REQUEST,GET /a\\\"b HTTP/1.1",
        "REFERER,http://example.com/",
        "AGENT,Agent (X; Y)"
    })
    void read_combinedFormat_hasEachKey(Key key, String value) throws UnreadableLineException {
        assertThat(read(key, "2001:db8::1 - frank " + TIME + " " + REST))
                .isEqualTo(
                        new Request(Instant.parse("2026-10-10T20:55:36Z").getEpochSecond() * 1_000_000_000, value, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1 - - TIME REST",
                "10.0.0.1 - John Smith TIME REST",
                "10.0.0.1  -  -  TIME  REST",
                "www.example.com:80 10.0.0.1 - - TIME REST",
                "192.0.2.9:443 10.0.0.1 - - TIME REST",
                "Oct 10 13:55:36 web1 nginx[12]: 10.0.0.1 - - TIME REST",
                "<190>1 2026-10-10T13:55:36Z 192.0.2.9 nginx - - - 10.0.0.1 - - TIME REST",
                "192.0.2.7, 10.0.0.1 - - TIME REST",
                "192.0.2.7, 10.0.0.1, - - TIME REST",
                "1791665736.125 10.0.0.1 - - TIME REST",
                "TIME 10.0.0.1 REST",
                "TIME 10.0.0.1:5001 - - REST",
                "\"10.0.0.1\" - - TIME REST",
                "\"10.0.0.1 - - TIME REST\"",
                "10.0.0.1:33317 TIME front back/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 \"GET / HTTP/1.1\"",
                "[10.0.0.1]:33317 - - TIME REST",
                "10.0.0.1 - a[b] TIME REST",
                "- 10.0.0.1 - - TIME REST",
                "<190>Oct 10 13:55:36 192.0.2.9 nginx: 10.0.0.1 - - TIME REST",
                "<190>1 2026-10-10T13:55:36Z web1 nginx - - [a@1 b=\"c d\"] 10.0.0.1 - - TIME REST",
                "Oct 10 13:55:36 192.0.2.9 haproxy[12]: 10.0.0.1:33317 TIME front back/srv1 10/0/30/69/109 200 2750",
                "web1 app: TIME 10.0.0.1 REST",
                "10.0.0.1\t-\tann\tTIME\tREST",
                "TIME\t10.0.0.1\tREST",
                "\u001B[36mweb-1  | \u001B[0m10.0.0.1 - - TIME \u001B[1;32mREST\u001B[0m"
            })
    void read_moreInFrontOrOtherOrder_findsTheAddress(String line) throws UnreadableLineException {
        assertThat(read(Key.ADDRESS, line.replace("TIME", TIME).replace("REST", REST))
                        .key())
                .isEqualTo("10.0.0.1");
    }

    /** Who logs in by the address of another client does not spend that client's permits. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1 - 192.0.2.7 TIME REST|10.0.0.1",
                "10.0.0.1 - x 192.0.2.7 - - TIME REST|10.0.0.1",
                "10.0.0.1 - - 192.0.2.7:80 TIME REST|10.0.0.1",
                "www:80 10.0.0.1 - 192.0.2.7 TIME REST|10.0.0.1",
                "<190>1 2026-10-10T13:55:36Z web1 nginx - - - 10.0.0.1 - 192.0.2.7 TIME REST|10.0.0.1",
                "10.0.0.1 192.0.2.7 - TIME REST|10.0.0.1", // lighttpd: address, Host, user
                "10.0.0.1 192.0.2.7:8080 - TIME REST|10.0.0.1",
                "10.0.0.1 192.0.2.7 ann TIME REST|10.0.0.1", // and Apache: address, identity, user
                "10.0.0.1 192.0.2.7: - TIME REST|10.0.0.1",
                "192.0.2.7 10.0.0.1 - - TIME REST|10.0.0.1", // nginx: host, address, dash, user
                "host.example.com - 192.0.2.7 TIME REST|host.example.com",
                "host.example.com - - TIME \"192.0.2.7 / HTTP/1.1\" 400 0|host.example.com",
            })
    void read_textOfClientsWithAnAddress_isNotTheClient(String line, String client) throws UnreadableLineException {
        assertThat(read(Key.ADDRESS, line.replace("TIME", TIME).replace("REST", REST))
                        .key())
                .isEqualTo(client);
    }

    /** The last one is an address, too, so it is not known whether it has a port. */
    @ParameterizedTest
    @CsvSource({
        "::ffff:10.0.1.2:33317,::ffff:10.0.1.2",
        "2001:db8::1:33317,2001:db8::1",
        "2001:db8::1,2001:db8::1",
        "2001:db8:1:2:3:4:5:6:8080,2001:db8:1:2:3:4:5:6",
        "2001:db8::1:8080,2001:db8::1:8080"
    })
    void read_ipv6WithPortAsOfHaProxy_isTheAddress(String client, String address) throws UnreadableLineException {
        assertThat(read(Key.ADDRESS, "haproxy[14389]: " + client + " " + TIME + " front back/srv1 1/0/3/6/10 200 2750")
                        .key())
                .isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource({
        "host.example.com - - TIME,host.example.com",
        "www host.example.com - - TIME,host.example.com",
        "x TIME,x"
    })
    void read_noAddress_isTheNameOfTheHost(String line, String key) throws UnreadableLineException {
        assertThat(read(Key.ADDRESS, line.replace("TIME", TIME)).key()).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            quoteCharacter = '^',
            value = {
                "10.0.0.1 - - TIME,null",
                "10.0.0.1 - John Q Smith TIME,John Q Smith",
                "10.0.0.1 - \"John Smith\" TIME,John Smith",
                "www:80 10.0.0.1  -  ann  TIME,ann",
                "host - ann TIME,ann",
                "10.0.0.1:33317 TIME,null"
            })
    void read_user_mayHaveBlanks(String line, String user) throws UnreadableLineException {
        assertThat(read(Key.USER, line.replace("TIME", TIME)).key()).isEqualTo(user);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"10.0.0.1 - - TIME \"GET /\" 200 1 \"-\" \"one\"\"",
                "\"10.0.0.1 - - TIME \"\"GET /\"\" 200 1 \"\"-\"\" \"\"one\"\"\"",
                "\"10.0.0.1 - - TIME \\\"GET /\\\" 200 1 \\\"-\\\" \\\"one\\\"\""
            })
    void read_lineInQuotes_isReadWithoutThem(String line) throws UnreadableLineException {
        assertThat(read(Key.AGENT, line.replace("TIME", TIME)).key()).isEqualTo("one");
        assertThat(read(Key.REQUEST, line.replace("TIME", TIME)).key()).isEqualTo("GET /");
        assertThat(read(Key.REFERER, line.replace("TIME", TIME)).key()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "29/Feb/2028:23:59:59 +0530,2028-02-29T18:29:59Z",
        "01/Jan/1960:00:00:00 -0130,1960-01-01T01:30:00Z",
        "06/Feb/2026:12:14:14.655,2026-02-06T12:14:14.655Z",
        "06/Feb/2026:12:14:14.655 +0100,2026-02-06T11:14:14.655Z",
        "2026-11-22T09:30:00+01:00,2026-11-22T08:30:00Z",
        "2026-11-22 09:30:00.125 +0100,2026-11-22T08:30:00.125Z"
    })
    void read_time_isExact(String text, Instant time) throws UnreadableLineException {
        assertThat(read(Key.ADDRESS, "10.0.0.1 - - [x] [" + text + "] [10/Oct/2026:13:55:36 +0000]")
                        .nanos())
                .isEqualTo(time.getEpochSecond() * 1_000_000_000 + time.getNano());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a - - [", "a - - [10/Oct/2026:13:55:36 +0000", "a - - [1/Oct/2026:13:55:36 +0000]"})
    void read_noTime_isUnreadable(String line) {
        assertThatThrownBy(() -> read(Key.ADDRESS, line))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessage("'" + line + "': no time, such as [22/Nov/2026:09:30:00 +0100]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "31/Feb/2026:13:55:36 +0000",
                "10/Okt/2026:13:55:36 +0000",
                "10/Oct/2026:24:55:36 +0000",
                "10/Oct/2026:13:55:36 +1801"
            })
    void read_timeThatDoesNotExist_isUnreadableAndDoesNotChangeTheNext(String time) throws UnreadableLineException {
        AccessFormat format = new AccessFormat(Key.ADDRESS, new Times(Unit.S, ZoneOffset.UTC));
        Request before = format.read("a " + TIME);

        assertThatThrownBy(() -> format.read("a [" + time + "]"))
                .isInstanceOf(UnreadableLineException.class)
                .hasMessageStartingWith("'" + time + "': no time, such as ");

        assertThat(format.read("a " + TIME)).isEqualTo(before);
    }

    @Test
    void read_timesInTurn_areNotMixedUp() throws UnreadableLineException {
        AccessFormat format = new AccessFormat(Key.ADDRESS, new Times(Unit.S, ZoneOffset.UTC));

        for (int second : new int[] {36, 36, 37, 36}) {
            assertThat(format.read("a - - [01/Jan/1970:00:00:" + second + " +0000]")
                            .nanos())
                    .isEqualTo(second * 1_000_000_000L);
        }
    }
}
