package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.CompactBytes;
import io.github.hotpath.internal.CompactDamage;
import io.github.hotpath.window.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Keyed limiters of random calls, written and read again: under the same limits and others, whole and damaged. */
class KeyedCompactFormModelTest {
    private static final int KEY = 7;

    /** Reads under other limits than those that it was written under, and continues as the model does. */
    @ParameterizedTest(name = "{0}, from {1}")
    @MethodSource("cases")
    void readFrom_otherLimits_answersAsTheModelOfThese(LimiterTraffic.Kind kind, long start) throws IOException {
        SplittableRandom random = Seed.random("keyed, other limits " + kind + start);
        for (int sequence = kind.isLarge() ? 1 : 60; sequence > 0; sequence--) {
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            KeyedLimiter<Integer> limiter = KeyedLimiter.of(limits);
            NaiveLimiter model = new NaiveLimiter(limits);
            limiter.forKey(KEY).record(start, 1);
            model.record(start, 1);
            call(kind, limits, start, only(limiter), model, kind.isLarge() ? 2_000 : 60, random);

            List<Limit> others = random.nextInt(4) == 0 ? limits : LimiterTraffic.limits(kind, random);
            long shift = random.nextLong();
            KeyedLimiter<Integer> read = KeyedForms.read(KeyedForms.bytes(limiter), shift, others);
            if (read.size() > 0) {
                NaiveLimiter expected = model.under(others, shift);
                call(kind, others, expected.latest(), only(read), expected, kind.isLarge() ? 2_000 : 60, random);
            }
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(LimiterTraffic.Kind.values())
                .flatMap(kind ->
                        LongStream.of(0, Long.MAX_VALUE - 1_000, -1).mapToObj(start -> Arguments.of(kind, start)));
    }

    /** A limiter with the log of the only key. */
    private static SlidingWindowLimiter only(KeyedLimiter<Integer> limiter) {
        return new SlidingWindowLimiter(requireNonNull(limiter.map().get(KEY)).log);
    }

    private static void call(
            LimiterTraffic.Kind kind,
            List<Limit> limits,
            long start,
            SlidingWindowLimiter limiter,
            NaiveLimiter model,
            int calls,
            SplittableRandom random) {
        LimiterTraffic traffic = new LimiterTraffic(kind, limits, start, random);
        LimiterCalls subject = LimiterCalls.on(limiter);
        LimiterCalls expected = LimiterCalls.on(model);
        for (int left = calls; left > 0; left--) {
            LimiterCall call = traffic.next(model);
            assertThat(call.on(subject))
                    .as("%s under %s, %s", call, limits, Seed.hint())
                    .isEqualTo(call.on(expected));
        }
        limiter.checkInvariants();
    }

    @ParameterizedTest
    @EnumSource(LimiterTraffic.Kind.class)
    void readFrom_damagedAnywhere_failsAsItSaysOrIsALimiter(LimiterTraffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("keyed, damaged " + kind);
        for (int i = 0; i < 5; i++) {
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            CompactBytes<KeyedLimiter<Integer>> form = KeyedForms.ofEightKeys(limits);
            damage(form).readDamaged(form.of(randomLimiter(limits, random)));
        }
    }

    @ParameterizedTest
    @EnumSource(LimiterTraffic.Kind.class)
    void readFrom_anyBytesBehindAHeader_failsAsItSaysOrIsALimiter(LimiterTraffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("keyed, any bytes " + kind);
        for (int i = 0; i < 200; i++) {
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            CompactBytes<KeyedLimiter<Integer>> form = KeyedForms.ofEightKeys(limits);
            damage(form).readRandom(form.of(randomLimiter(limits, random)), random);
        }
    }

    private static CompactDamage<KeyedLimiter<Integer>> damage(CompactBytes<KeyedLimiter<Integer>> form) {
        return new CompactDamage<>(form, KeyedFormTarget.MEMORY_PER_BYTE, KeyedCompactFormModelTest::assertUsable);
    }

    private static KeyedLimiter<Integer> randomLimiter(List<Limit> limits, SplittableRandom random) {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(limits);
        long time = random.nextLong();
        for (int calls = random.nextInt(40); calls > 0; calls--) {
            time += random.nextLong() >>> random.nextInt(2, 64);
            int permits = 1 + random.nextInt(3);
            Reservation reservation =
                    limiter.forKey(random.nextInt(8)).reserve(time, permits, Duration.ofNanos(random.nextLong() >>> 2));
            if (random.nextInt(4) == 0) {
                reservation.adjustTo(random.nextInt(3));
            }
        }
        return limiter;
    }

    /** Calls on any limiter that was read return, and leave it valid. */
    private static void assertUsable(KeyedLimiter<Integer> limiter) {
        limiter.checkInvariants();
        for (int key = 0; key < 9; key++) {
            long delay = limiter.forKey(key).tryAcquireOrDelay(0, 1);
            if (delay != Long.MAX_VALUE) {
                assertThat(delay == 0 || limiter.forKey(key).tryAcquire(delay, 1))
                        .isTrue();
            }
        }
        limiter.evictIdle(Long.MAX_VALUE);
        limiter.checkInvariants();
    }

    /** Inputs that reached other code when Jazzer looked for failures, and such that failed. */
    @Test
    void readFrom_corpus_failsAsItSaysOrIsALimiter() throws IOException {
        assertThat(KeyedFormTarget.TARGET.checkAll(KeyedFormTarget.CORPUS)).isPositive();
    }
}
