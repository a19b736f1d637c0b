package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that are rejected: with which message, and that nothing is changed and no key added. */
class LimiterRejectionTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Limit LIMIT = Limit.of(1, nanos(10));

    static Stream<Function<List<Limit>, Object>> takers() {
        return Stream.of(SlidingWindowLimiter::of, KeyedLimiter::of, limits -> {
            SlidingWindowLimiter.of(LIMIT).setLimits(limits);
            return limits;
        });
    }

    @ParameterizedTest
    @MethodSource("takers")
    void limits_nullOrTooMany_areRejected(Function<List<Limit>, Object> taker) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> taker.apply(
                        IntStream.rangeClosed(0, 1_000).mapToObj(i -> LIMIT).toList()))
                .withMessage("limits: 1001 limits (expected: at most 1000)");
        assertThatNullPointerException().isThrownBy(() -> taker.apply(null)).withMessage("limits");
        assertThatNullPointerException()
                .isThrownBy(() -> taker.apply(Arrays.asList(LIMIT, null)))
                .withMessage("limits[1]");
    }

    @Test
    void limits_nullAmongFirstAndMore_isRejected() {
        for (BiConsumer<Limit, Limit[]> taker : List.<BiConsumer<Limit, Limit[]>>of(
                SlidingWindowLimiter::of, KeyedLimiter::of, SlidingWindowLimiter.of(LIMIT)::setLimits)) {
            assertThatNullPointerException()
                    .isThrownBy(() -> taker.accept(null, new Limit[0]))
                    .withMessage("first");
            assertThatNullPointerException()
                    .isThrownBy(() -> taker.accept(LIMIT, new Limit[] {LIMIT, null}))
                    .withMessage("more[1]");
        }
    }

    /** Negative numbers added tokens (bucket4j#417, node-rate-limiter-flexible#82). */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void any_lessThanOnePermit_isRejected(int permits) {
        List<Consumer<Limiter>> calls = List.of(
                limiter -> limiter.tryAcquire(25, permits),
                limiter -> limiter.tryAcquireOrDelay(25, permits),
                limiter -> limiter.reserve(25, permits, ANY),
                limiter -> limiter.decide(25, permits),
                limiter -> limiter.peek(25, permits),
                limiter -> limiter.record(25, permits));
        calls.forEach(call -> assertRejected(call, "permits: " + permits + " (expected: at least 1)"));
    }

    @Test
    void any_durationNegativeOrNull_isRejected() {
        Duration negative = nanos(-1);
        assertRejected(
                limiter -> limiter.reserve(25, 1, negative), "maxDelay: " + negative + " (expected: zero or more)");
        assertRejected(
                limiter -> limiter.closeFor(25, negative), "duration: " + negative + " (expected: zero or more)");
        assertThatNullPointerException()
                .isThrownBy(() -> Limiters.of(3, 10).reserve(25, 1, null))
                .withMessage("maxDelay");
        assertThatNullPointerException()
                .isThrownBy(() -> Limiters.of(3, 10).closeFor(25, null))
                .withMessage("duration");
    }

    @Test
    void reserve_maxDelayLongerThanALongHolds_countsAsTheLongest() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);

        assertThat(limiter.reserve(0, 1, ANY).delayNanos()).isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void adjustTo_negative_isRejectedAlways(int permits) {
        SlidingWindowLimiter limiter = Limiters.of(1, 10);
        Reservation granted = limiter.reserve(0, 1, ANY);
        Reservation cancelled = limiter.reserve(0, 1, ANY);
        cancelled.cancel();
        Reservation refused = limiter.reserve(0, 1, Duration.ZERO);

        for (Reservation reservation : List.of(granted, cancelled, refused)) {
            String before = Limiters.state(limiter);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> reservation.adjustTo(permits))
                    .withMessage("permits: " + permits + " (expected: at least 0)");

            assertThat(Limiters.state(limiter)).isEqualTo(before);
        }
    }

    @Test
    void forKeyAndOthers_nullKey_isRejected() {
        KeyedLimiter<String> keyed = KeyedLimiter.of(LIMIT);
        List<Consumer<String>> calls = List.of(keyed::forKey, keyed::remove, keyed::updateLimits);
        for (Consumer<String> call : calls) {
            assertThatNullPointerException().isThrownBy(() -> call.accept(null)).withMessage("key");
        }
    }

    /** By a limiter with a pending reservation, a key with an entry, one without, and all together; nothing changes. */
    private static void assertRejected(Consumer<Limiter> call, String message) {
        SlidingWindowLimiter pending = Limiters.acquiring(Limiters.of(1, 10), 20);
        pending.reserve(20, 1, ANY);
        KeyedLimiter<String> keyed = KeyedLimiter.of(LIMIT);
        keyed.forKey("known").tryAcquire(20, 1);
        Limiter all = Limiter.allOf(pending, keyed.forKey("known"), keyed.forKey("unknown"));
        Supplier<String> state = () -> Limiters.state(pending) + keyed + ": " + all.peek(0, 1);
        String before = state.get();

        for (Limiter limiter : List.of(pending, keyed.forKey("known"), keyed.forKey("unknown"), all)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> call.accept(limiter))
                    .withMessage(message);
        }

        assertThat(state.get()).isEqualTo(before);
    }

    /** Also of what counts at the latest time alone, since longer limits might count it together with the rest. */
    @Test
    void recordAndAdjustTo_moreThanCanCount_areRejectedAndChangeNothing() throws IOException {
        List<Limit> limits = List.of(Limit.of(Limit.MOST, Duration.ofNanos(10)));
        long[] nearlyAll = {Limit.MOST - 10};
        SlidingWindowLimiter limiter = new SlidingWindowLimiter(
                new SlidingLog(new LimiterState(limits, true, 0, 0, new long[] {0}, nearlyAll, null)));
        Reservation reservation = limiter.reserve(0, 4, ANY);
        limiter.closeFor(0, Duration.ofNanos(11));
        String before = Limiters.FORM.hex(limiter);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.record(0, 7))
                .withMessage("permits: 7 (expected: at most 6, so that at most 2^62 count)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reservation.adjustTo(11))
                .withMessage("permits: 11 (expected: at most 10, so that at most 2^62 count)");

        assertThat(Limiters.FORM.hex(limiter)).isEqualTo(before);
        limiter.record(0, 6);
        assertThat(Limiters.FORM.hex(Limiters.FORM.copy(limiter))).isEqualTo(Limiters.FORM.hex(limiter));
        limiter.setLimits(Limit.of(100, Duration.ofNanos(1_000)));
        assertThat(limiter.available(11)).isZero();
        assertThat(reservation.adjustTo(3)).isTrue();
        limiter.record(1_012, Integer.MAX_VALUE); // all of that has expired
        Invariants.check(limiter);
    }
}
