package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.hotpath.examples.web.RequestLimits.Answer;
import io.github.hotpath.examples.web.RequestLimits.Local;
import io.github.hotpath.examples.web.RequestLimits.Shared;
import io.github.hotpath.examples.web.RequestLimits.WithoutStore;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLimitsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static Answer answer(long max, Duration interval, long remaining, long nanosUntilMore) {
        Quota quota = new Quota(Limit.of(max, interval), remaining, nanosUntilMore, false);
        return new Answer(0, Map.of("client:a", quota));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1_000_000_000, 1", "1_000_000_001, 2", "9_223_372_036_854_775_806, 9223372037"})
    void fields_times_roundedUpToSeconds(String nanos, long seconds) {
        long delay = Long.parseLong(nanos.replace("_", ""));

        assertThat(new Answer(delay, Map.of()).fields()).containsExactly(Map.entry("Retry-After", "" + seconds));
        assertThat(answer(5, Duration.ofMinutes(1), 4, delay).fields())
                .containsEntry("RateLimit", "\"client\";r=4;t=" + seconds)
                .doesNotContainKey("Retry-After");
    }

    @Test
    void fields_timeThatNeverComesOrAllRemains_leftOut() {
        assertThat(new Answer(Long.MAX_VALUE, Map.of()).fields()).isEmpty();
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

    private static Answer ask(RequestLimits limits, Map<String, Limit> keys) {
        return limits.ask(keys, 1).join();
    }

    private static boolean isGranted(RequestLimits limits, String key, long max) {
        return ask(limits, Map.of(key, Limit.of(max, HOUR))).isGranted();
    }

    @Test
    void ask_oneRefuses_nothingCountsAndItIsNamed() {
        RequestLimits limits = new Local(() -> 7);
        Limit one = Limit.of(1, HOUR);
        Limit two = Limit.of(2, HOUR);
        assertThat(ask(limits, Map.of("client:a", one, "service", two)).isGranted())
                .isTrue();

        Answer refused = ask(limits, Map.of("client:a", one, "service", two));

        assertThat(refused.delayNanos()).isEqualTo(HOUR.toNanos() + 1);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.violated()).containsExactly("client");
        assertThat(refused.problem())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"The request exceeds a quota\",\"status\":429,"
                        + "\"violated-policies\":[\"client\"]}");
        assertThat(ask(limits, Map.of("client:b", one, "service", two)).isGranted())
                .isTrue();
        assertThat(ask(limits, Map.of("client:c", one, "service", two)).isGranted())
                .isFalse();
        assertThat(ask(limits, Map.of()).isGranted()).isTrue();
    }

    @Test
    void ask_severalPermits_allOrNothing() {
        RequestLimits limits = new Local(() -> 7);
        Map<String, Limit> five = Map.of("client:a", Limit.of(5, HOUR));
        assertThat(limits.ask(five, 3).join().isGranted()).isTrue();
        assertThat(limits.ask(five, 3).join().isGranted()).isFalse();
        assertThat(limits.ask(five, 2).join().isGranted()).isTrue();
    }

    /** Or a limit that is computed would grant all of its permits at each change. */
    @Test
    void ask_limitChanges_whatWasGrantedCounts() {
        Local limits = new Local(() -> 7);
        for (int i = 1; i <= 16; i++) {
            assertThat(isGranted(limits, "client:a", i)).isTrue();
            assertThat(isGranted(limits, "client:a", i)).isFalse();
        }
        assertThat(isGranted(limits, "client:a", 3)).isFalse();
        assertThat(ask(limits, Map.of("client:a", Limit.of(20, HOUR))).fields().get("RateLimit"))
                .startsWith("\"client\";r=3;");
        assertThat(limits.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\"b:c", ":c", "", "a b", "a\r\nb:c", "\u00e4:c"})
    void ask_nameThatWouldHaveToBeEscaped_exceptionAndNothingCounts(String key) {
        RequestLimits limits = new Local(() -> 7);
        Limit one = Limit.of(1, HOUR);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.ask(Map.of(key, one, "service", one), 1))
                .withMessageStartingWith("key: " + key + " (expected: ");
        assertThat(isGranted(limits, "service", 1)).isTrue();
    }

    /** A client could not tell them apart. */
    @Test
    void ask_twoOfOneName_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Local(() -> 7)
                        .ask(Map.of("client:a", Limit.of(1, HOUR), "client:a:hour", Limit.of(1, HOUR)), 1))
                .withMessageEndingWith("(expected: different names)");
    }

    // Shared limits

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<CompletableFuture<Answer>> asked = new ArrayList<>();

    /** On a store that the test answers for. */
    private Shared shared(WithoutStore without) {
        return new Shared(
                (limits, permits) -> {
                    asked.add(new CompletableFuture<>());
                    return asked.get(asked.size() - 1);
                },
                without,
                nanos::get);
    }

    private static final Map<String, Limit> TWO = Map.of("client:a", Limit.of(2, HOUR));
    private static final Answer GRANTED = new Answer(0, Map.of("client:a", new Quota(Limit.of(2, HOUR), 1, 9, false)));
    private static final Answer REFUSED =
            new Answer(2_500_000_000L, Map.of("client:a", new Quota(Limit.of(2, HOUR), 0, 2_500_000_000L, true)));

    /** While one request waits for the store, the others do not; and when it has answered, all ask it again. */
    @ParameterizedTest
    @EnumSource
    void ask_storeIsAway_oneWaitsAndOthersGetWhatIsDoneWithout(WithoutStore without) {
        Shared limits = shared(without);
        CompletableFuture<Answer> first = limits.ask(TWO, 1);
        CompletableFuture<Answer> second = limits.ask(TWO, 1);
        asked.get(0).completeExceptionally(new IllegalStateException("away"));
        assertThat(first.join().isGranted()).isEqualTo(without != WithoutStore.REFUSE);
        assertThat(limits.ask(TWO, 1)).isDone(); // since the second still waits
        asked.get(1).completeExceptionally(new IllegalStateException("away"));
        assertThat(second.join().isGranted()).isEqualTo(without == WithoutStore.SERVE);

        CompletableFuture<Answer> waiting = limits.ask(TWO, 1);
        Answer other = limits.ask(TWO, 1).join();

        assertThat(waiting).isNotDone();
        assertThat(asked).hasSize(3);
        assertThat(ask(limits, Map.of()).isGranted()).isTrue(); // such as a probe
        assertThat(other.isGranted()).isEqualTo(without == WithoutStore.SERVE);
        assertThat(other.status()).isEqualTo(without == WithoutStore.LOCAL ? 429 : 503);
        asked.get(2).complete(GRANTED);
        assertThat(waiting.join()).isEqualTo(GRANTED);
        limits.ask(TWO, 1);
        limits.ask(TWO, 1);
        assertThat(asked).hasSize(5);
    }

    @Test
    void ask_storeIsAway_refusedWithoutAPolicy() {
        Shared limits = shared(WithoutStore.REFUSE);
        CompletableFuture<Answer> refused = limits.ask(TWO, 1);
        asked.get(0).completeExceptionally(new IllegalStateException("away"));
        assertThat(refused.join().fields()).containsExactly(Map.entry("Retry-After", "1"));
        assertThat(refused.join().problem()).isEqualTo("{\"title\":\"The limits cannot be asked\",\"status\":503}");
    }

    /** What the store has granted to this process counts when it is away. */
    @Test
    void ask_storeGoesAway_limitsOfTheProcessAreWarm() {
        Shared limits = shared(WithoutStore.LOCAL);
        limits.ask(TWO, 1);
        asked.get(0).complete(GRANTED);
        CompletableFuture<Answer> away = limits.ask(TWO, 1);
        asked.get(1).completeExceptionally(new IllegalStateException("away"));
        assertThat(away.join().fields()).containsEntry("RateLimit", "\"client\";r=0;t=3601");
    }

    /** Nobody can switch the limits off, or on again, by a name that the store does not take. */
    @Test
    void ask_storeRejectsAKey_thrownAndSaysNothingOfTheStore() {
        AtomicBoolean isAway = new AtomicBoolean();
        Shared limits = new Shared(
                (keys, permits) -> {
                    if (keys.containsKey("client:bad")) {
                        throw new IllegalArgumentException("bad");
                    }
                    return isAway.get()
                            ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                            : CompletableFuture.completedFuture(GRANTED);
                },
                WithoutStore.SERVE,
                nanos::get);
        for (int i = 0; i < 2; i++) {
            assertThatIllegalArgumentException().isThrownBy(() -> isGranted(limits, "client:bad", 1));
            assertThat(ask(limits, TWO)).isEqualTo(isAway.getAndSet(true) ? new Answer(0, Map.of()) : GRANTED);
        }
        isAway.set(false);
        assertThat(ask(limits, TWO)).isEqualTo(GRANTED);
    }

    /** The one that tries is not lost if its caller goes away. */
    @Test
    void ask_cancelled_othersAreAskedAgain() {
        Shared limits = shared(WithoutStore.REFUSE);
        limits.ask(TWO, 1);
        asked.get(0).completeExceptionally(new IllegalStateException("away"));
        limits.ask(TWO, 1).cancel(false);
        asked.get(1).complete(GRANTED);
        limits.ask(TWO, 1);
        limits.ask(TWO, 1);
        assertThat(asked).hasSize(4);
    }

    @Test
    void ask_refused_repeatedForASecondWithoutTheStore() {
        Shared limits = shared(WithoutStore.REFUSE);
        limits.ask(TWO, 1);
        asked.get(0).complete(REFUSED);
        nanos.addAndGet(999_999_999);

        Answer known = ask(limits, TWO);

        assertThat(known.delayNanos()).isEqualTo(1_500_000_001);
        assertThat(known.fields()).containsEntry("RateLimit", "\"client\";r=0;t=2");
        assertThat(limits.ask(TWO, 2)).isNotDone(); // another request
        nanos.addAndGet(1);
        assertThat(limits.ask(TWO, 1)).isNotDone();
        assertThat(asked).hasSize(3);
    }

    /** Keys of ten megabytes in all: the oldest are not known any more. */
    @Test
    void ask_manyRefused_memoryIsBounded() {
        Shared limits = shared(WithoutStore.REFUSE);
        for (int i = 0; i < 100; i++) {
            limits.ask(Map.of("client:" + i + "x".repeat(100_000), Limit.of(2, HOUR)), 1);
            asked.get(i).complete(REFUSED);
        }
        assertThat(limits.ask(Map.of("client:99" + "x".repeat(100_000), Limit.of(2, HOUR)), 1))
                .isDone();
        assertThat(limits.ask(Map.of("client:0" + "x".repeat(100_000), Limit.of(2, HOUR)), 1))
                .isNotDone();
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
