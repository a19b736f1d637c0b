package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.FORM;
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

/** Limiters of random calls, written and read again, whole and damaged. */
class LimiterCompactFormModelTest {
    /** A limit is three bytes of input at least, an entry one; a log may have grown to it by copying. */
    private static final long MEMORY_PER_BYTE = 128;

    private static final CompactDamage<SlidingWindowLimiter> DAMAGE =
            new CompactDamage<>(FORM, MEMORY_PER_BYTE, LimiterCompactFormModelTest::assertUsable);

    @ParameterizedTest(name = "{0}, from {1}")
    @MethodSource("cases")
    void readFrom_amongAnyCalls_answersAsTheModel(LimiterTraffic.Kind kind, long start) throws IOException {
        SplittableRandom random = Seed.random("read among " + kind + start);
        for (int sequence = kind.isLarge() ? 1 : 8; sequence > 0; sequence--) {
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
            NaiveLimiter model = new NaiveLimiter(limits);
            LimiterCalls subject = LimiterCalls.on(limiter);
            LimiterCalls expected = LimiterCalls.on(model);
            LimiterTraffic traffic = new LimiterTraffic(kind, limits, start, random);

            for (int left = kind.isLarge() ? 6_000 : 250; left > 0; left--) {
                if (random.nextInt(2 + model.size() / 4) == 0) {
                    limiter = checkedCopy(limiter, random.nextLong());
                    subject = LimiterCalls.on(limiter); // reservations stay with the original
                    expected = LimiterCalls.on(model);
                }
                LimiterCall call = traffic.next(model);
                assertThat(call.on(subject)).as("%s, %s", call, Seed.hint()).isEqualTo(call.on(expected));
            }
        }
    }

    /** Returns a copy of the copy that is read with another clock. */
    private static SlidingWindowLimiter checkedCopy(SlidingWindowLimiter limiter, long shift) throws IOException {
        byte[] bytes = FORM.of(limiter);
        SlidingWindowLimiter shifted = SlidingWindowLimiter.readFrom(CompactBytes.input(bytes), shift);
        shifted.checkInvariants();
        SlidingWindowLimiter copy = SlidingWindowLimiter.readFrom(CompactBytes.input(FORM.of(shifted)), -shift);
        copy.checkInvariants();
        assertThat(copy.limits()).isEqualTo(limiter.limits());
        assertThat(FORM.of(copy)).as(Seed.hint()).isEqualTo(bytes);
        return copy;
    }

    static Stream<Arguments> cases() {
        return Stream.of(LimiterTraffic.Kind.values())
                .flatMap(kind ->
                        LongStream.of(0, Long.MAX_VALUE - 1_000, -1).mapToObj(start -> Arguments.of(kind, start)));
    }

    @ParameterizedTest
    @EnumSource(LimiterTraffic.Kind.class)
    void readFrom_damagedAnywhere_failsAsItSaysOrIsALimiter(LimiterTraffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("damaged " + kind);
        for (int i = 0; i < 15; i++) {
            DAMAGE.readDamaged(FORM.of(randomLimiter(kind, random)));
        }
    }

    @ParameterizedTest
    @EnumSource(LimiterTraffic.Kind.class)
    void readFrom_anyBytesBehindAHeader_failsAsItSaysOrIsALimiter(LimiterTraffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("any bytes " + kind);
        for (int i = 0; i < 400; i++) {
            DAMAGE.readRandom(FORM.of(randomLimiter(kind, random)), random);
        }
    }

    private static SlidingWindowLimiter randomLimiter(LimiterTraffic.Kind kind, SplittableRandom random) {
        List<Limit> limits = LimiterTraffic.limits(kind, random);
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(limits);
        NaiveLimiter model = new NaiveLimiter(limits);
        LimiterCalls subject = LimiterCalls.on(limiter);
        LimiterCalls modelled = LimiterCalls.on(model);
        LimiterTraffic traffic = new LimiterTraffic(kind, limits, random.nextLong(), random);
        for (int calls = random.nextInt(60); calls > 0; calls--) {
            LimiterCall call = traffic.next(model);
            call.on(subject);
            call.on(modelled);
        }
        return limiter;
    }

    /** Calls on any limiter that was read return, and leave it valid. */
    private static void assertUsable(SlidingWindowLimiter limiter) {
        limiter.checkInvariants();
        long delay = limiter.tryAcquireOrDelay(0, 1);
        if (delay != Long.MAX_VALUE) {
            assertThat(delay == 0 || limiter.tryAcquire(delay, 1)).isTrue();
            limiter.reserve(delay, 3, Duration.ofNanos(Long.MAX_VALUE)).cancel();
        }
        limiter.checkInvariants();
    }

    /** Inputs that reached other code when Jazzer looked for failures, and such that failed. */
    @Test
    void readFrom_corpus_failsAsItSaysOrIsALimiter() throws IOException {
        assertThat(LimiterFormTarget.TARGET.checkAll(LimiterFormTarget.CORPUS)).isPositive();
    }
}
