package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    private static Verdict verdict(long max, Duration interval, long remaining, long nanosUntilMore) {
        Quota quota = new Quota(Limit.of(max, interval), remaining, nanosUntilMore, false);
        return new Verdict(0, List.of(new Verdict.Policy("client", quota)), List.of());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1_000_000_000, 1", "1_000_000_001, 2", "9_223_372_036_854_775_806, 9223372037"})
    void fields_times_roundedUpToSeconds(String nanos, long seconds) {
        long delay = Long.parseLong(nanos.replace("_", ""));

        assertThat(Verdict.of(delay).fields()).containsExactly(java.util.Map.entry("Retry-After", "" + seconds));
        assertThat(verdict(5, Duration.ofMinutes(1), 4, delay).fields())
                .containsEntry("RateLimit", "\"client\";r=4;t=" + seconds)
                .doesNotContainKey("Retry-After");
    }

    @Test
    void fields_timeThatNeverComesOrAllRemains_leftOut() {
        assertThat(Verdict.of(Long.MAX_VALUE).fields()).isEmpty();
        assertThat(verdict(5, Duration.ZERO, 5, 0).fields()).containsEntry("RateLimit", "\"client\";r=5");
        assertThat(verdict(0, Duration.ZERO, 0, Long.MAX_VALUE).fields())
                .containsEntry("RateLimit", "\"client\";r=0")
                .containsEntry("RateLimit-Policy", "\"client\";q=0;w=1");
    }

    /** Another library reads what is written, for the greatest numbers, too. */
    @Test
    void fields_ofTheGreatestLimits_areStructuredFields() {
        Verdict verdict = verdict(1L << 62, Duration.ofNanos(1L << 61), 1L << 62, 1);

        assertThat(verdict.fields().values())
                .allSatisfy(field -> assertThat(Parser.parseList(field).get()).hasSize(1));
    }

    @Test
    void of_decision_namesWhatIsViolated() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(1, Duration.ofSeconds(1)), Limit.of(2, Duration.ofSeconds(9)));
        limiter.tryAcquire(0, 1);

        Verdict verdict = Verdict.of(limiter.decide(0, 1), List.of("burst", "sustained"));

        assertThat(verdict.violated()).containsExactly("burst");
        JsonObject problem = JsonParser.parseString(verdict.problem()).getAsJsonObject();
        assertThat(problem.get("type").getAsString())
                .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
        assertThat(problem.get("status").getAsInt()).isEqualTo(429);
        assertThat(problem.getAsJsonArray("violated-policies").toString()).isEqualTo("[\"burst\"]");
        assertThatThrownBy(() -> Verdict.of(limiter.decide(0, 1), List.of("one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names: [one]");
    }

    @Test
    void of_nameThatWouldHaveToBeEscaped_exception() {
        assertThatThrownBy(() -> Verdict.of(1, "a\"b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("name: a\"b");
    }
}
