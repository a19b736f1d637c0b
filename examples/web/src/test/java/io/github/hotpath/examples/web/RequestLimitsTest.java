package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.examples.web.RequestLimits.Answer;
import io.github.hotpath.examples.web.RequestLimits.Policy;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLimitsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Answer answer(long max, Duration interval, long remaining, long nanosUntilMore) {
        Quota quota = new Quota(Limit.of(max, interval), remaining, nanosUntilMore, false);
        return new Answer(0, List.of(new Policy("client", quota)));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1_000_000_000, 1", "1_000_000_001, 2", "9_223_372_036_854_775_806, 9223372037"})
    void fields_times_roundedUpToSeconds(String nanos, long seconds) {
        long delay = Long.parseLong(nanos.replace("_", ""));

        assertThat(new Answer(delay, List.of()).fields()).containsExactly(Map.entry("Retry-After", "" + seconds));
        assertThat(answer(5, Duration.ofMinutes(1), 4, delay).fields())
                .containsEntry("RateLimit", "\"client\";r=4;t=" + seconds)
                .doesNotContainKey("Retry-After");
    }

    @Test
    void fields_timeThatNeverComesOrAllRemains_leftOut() {
        assertThat(new Answer(Long.MAX_VALUE, List.of()).fields()).isEmpty();
        assertThat(answer(5, Duration.ZERO, 5, 0).fields()).containsEntry("RateLimit", "\"client\";r=5");
        assertThat(answer(0, Duration.ZERO, 0, Long.MAX_VALUE).fields())
                .containsEntry("RateLimit", "\"client\";r=0")
                .containsEntry("RateLimit-Policy", "\"client\";q=0;w=1");
    }

    /** Another library reads what is written, for the greatest numbers, too. */
    @Test
    void fields_ofTheGreatestLimits_areStructuredFields() {
        assertThat(answer(1L << 62, Duration.ofNanos(1L << 61), 1L << 62, 1)
                        .fields()
                        .values())
                .allSatisfy(field -> assertThat(Parser.parseList(field).get()).hasSize(1));
    }

    @Test
    void ask_oneRefuses_nothingCountsAndItIsNamed() {
        RequestLimits limits = RequestLimits.of(() -> 7);
        Limit one = Limit.of(1, HOUR);
        Limit two = Limit.of(2, HOUR);
        assertThat(limits.ask(Map.of("client:a", one, "service", two)).isGranted())
                .isTrue();

        Answer refused = limits.ask(Map.of("client:a", one, "service", two));

        assertThat(refused.delayNanos()).isEqualTo(HOUR.toNanos() + 1);
        assertThat(refused.violated()).containsExactly("client");
        assertThat(refused.problem())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"The request exceeds a quota\",\"status\":429,"
                        + "\"violated-policies\":[\"client\"]}");
        assertThat(limits.ask(Map.of("client:b", one, "service", two)).isGranted())
                .isTrue();
        assertThat(limits.ask(Map.of("client:c", one, "service", two)).isGranted())
                .isFalse();
        assertThat(limits.ask(Map.of("client:a", two)).isGranted()).isTrue(); // another limit begins anew
        assertThat(limits.ask(Map.of()).isGranted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\"b:c", ":c", "", "a b", "a\r\nb:c", "\u00e4:c"})
    void ask_nameThatWouldHaveToBeEscaped_exceptionAndNothingCounts(String key) {
        RequestLimits limits = RequestLimits.of(() -> 7);
        Limit one = Limit.of(1, HOUR);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.ask(Map.of(key, one, "service", one)))
                .withMessageStartingWith("key: " + key + " (expected: ");
        assertThat(limits.ask(Map.of("service", one)).isGranted()).isTrue();
    }

    @Test
    void ask_shared_isAskedForAPermitAndOnlyTheDelayIsTold() {
        AtomicInteger asked = new AtomicInteger();
        RequestLimits limits = RequestLimits.of((keys, permits) -> {
            asked.addAndGet(permits);
            return keys.containsKey("client:a") ? 0 : 1_000_000_001;
        });

        assertThat(limits.ask(Map.of("client:a", Limit.of(1, HOUR))).isGranted())
                .isTrue();
        Answer refused = limits.ask(Map.of("client:b", Limit.of(1, HOUR)));
        assertThat(refused.fields()).containsExactly(Map.entry("Retry-After", "2"));
        assertThat(refused.problem()).endsWith("\"violated-policies\":[]}");
        assertThat(limits.ask(Map.of()).isGranted()).isTrue();
        assertThat(asked).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:0:0:0:0/64",
        "2001:DB8:1:2::7, 2001:db8:1:2:0:0:0:0/64",
        "fe80::1%eth0, fe80:0:0:0:0:0:0:0/64",
        "::1, 0:0:0:0:0:0:0:0/64",
        "::ffff:192.0.2.1, 192.0.2.1", // mapped
        "64:ff9b::192.0.2.1, 192.0.2.1", // NAT64
        "64:ff9b::c000:202, 192.0.2.2",
        "2002:c000:201:5::1, 192.0.2.1", // 6to4
        "2002:c000:201:6::1, 192.0.2.1",
        "192.0.2.1:4711, 192.0.2.1", // as some proxies write it
        "[2001:db8:1:2::7]:4711, 2001:db8:1:2:0:0:0:0/64",
        "192.0.2.1:http, unknown",
        "unix:, unknown",
        "localhost, unknown", // not looked up
        "1, unknown",
        "'', unknown",
        ", unknown"
    })
    void clientKey_address_oneForAllThatAClientHas(String address, String key) {
        assertThat(RequestLimits.clientKey(null, address)).isEqualTo("client:address:" + key);
    }

    @Test
    void clientKey_userNamedAsAnAddress_isAnotherClient() {
        assertThat(RequestLimits.clientKey("192.0.2.1", "192.0.2.1"))
                .isNotEqualTo(RequestLimits.clientKey(null, "192.0.2.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ann@Example.org", "ann@example.ORG ", "\uff21nn@example.org", "ann@example.org"})
    void canonical_spellings_areOne(String name) {
        assertThat(RequestLimits.canonical(name)).isEqualTo("ann@example.org");
    }
}
