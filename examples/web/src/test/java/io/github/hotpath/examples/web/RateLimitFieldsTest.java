package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.NumberItem;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {
    private static final List<String> NAMES = List.of("burst", "daily");

    @Test
    void policy_severalLimits_parsedAsStructuredField() {
        List<Quota> quotas = SlidingWindowLimiter.of(
                        Limit.of(100, Duration.ofMinutes(1)), Limit.ofCalls(1000, Duration.ofDays(1)))
                .decide(0, 1)
                .quotas();

        OuterList policy = Parser.parseList(RateLimitFields.policy(NAMES, quotas));
        OuterList state = Parser.parseList(RateLimitFields.state(NAMES, quotas));

        assertThat(policy.get()).extracting(item -> (Object) item.get()).containsExactly("burst", "daily");
        assertThat(policy.get()).extracting(item -> number(item, "q")).containsExactly(100L, 1000L);
        assertThat(policy.get()).extracting(item -> number(item, "w")).containsExactly(60L, 86_400L);
        assertThat(state.get()).extracting(item -> (Object) item.get()).containsExactly("burst", "daily");
        assertThat(state.get()).extracting(item -> number(item, "r")).containsExactly(99L, 999L);
        assertThat(state.get()).extracting(item -> number(item, "t")).containsExactly(61L, 86_401L);
        assertThat(policy.get().get(0).getParams().keySet()).containsExactly("q", "w"); // and in this order
    }

    private static long number(ListElement<?> item, String parameter) {
        return ((NumberItem<?>) item.getParams().get(parameter)).getAsLong();
    }

    /** A name is a string of a structured field, in which quotes are escaped. */
    @Test
    void state_nameWithQuotes_escaped() {
        Quota quota = new Quota(Limit.of(1, Duration.ofSeconds(1)), 1, 0, false);

        String field = RateLimitFields.state(List.of("a \"b\" \\"), List.of(quota));

        assertThat(field).isEqualTo("\"a \\\"b\\\" \\\\\";r=1");
        assertThat(Parser.parseList(field).get().get(0).get()).isEqualTo("a \"b\" \\");
    }

    @Test
    void state_allRemains_hasNoTime() {
        Quota quota = new Quota(Limit.of(5, Duration.ofSeconds(1)), 5, 0, false);

        assertThat(RateLimitFields.state(NAMES, List.of(quota))).isEqualTo("\"burst\";r=5");
    }

    @Test
    void fields_greatestNumbers_areIntegersOfStructuredFields() {
        Limit limit = Limit.of(1L << 62, Duration.ofNanos(1L << 61));
        Quota quota = new Quota(limit, Long.MAX_VALUE, Long.MAX_VALUE - 1, false);

        String policy = RateLimitFields.policy(NAMES, List.of(quota));
        String state = RateLimitFields.state(NAMES, List.of(quota));

        assertThat(policy).isEqualTo("\"burst\";q=999999999999999;w=2305843010");
        assertThat(state).isEqualTo("\"burst\";r=999999999999999;t=9223372037");
        assertThat(Parser.parseList(policy).serialize()).isEqualTo(policy);
        assertThat(Parser.parseList(state).serialize()).isEqualTo(state);
    }

    @Test
    void state_neverMore_hasNoTime() {
        Quota quota = new Quota(Limit.of(5, Duration.ofNanos(1L << 61)), 0, Long.MAX_VALUE, true);

        assertThat(RateLimitFields.state(NAMES, List.of(quota))).isEqualTo("\"burst\";r=0");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2", "1500000000, 2", "60000000000, 60"})
    void policy_interval_wholeSecondsRoundedUp(long intervalNanos, long seconds) {
        Quota quota = new Quota(Limit.of(1, Duration.ofNanos(intervalNanos)), 0, 1, false);

        assertThat(RateLimitFields.policy(NAMES, List.of(quota))).isEqualTo("\"burst\";q=1;w=" + seconds);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2", "9223372036854775807, 9223372037"})
    void seconds_nanos_roundedUp(long nanos, long seconds) {
        assertThat(RateLimitFields.seconds(nanos)).isEqualTo(seconds);
    }
}
