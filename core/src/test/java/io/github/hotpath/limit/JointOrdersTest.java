package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that name the same limiters in every order end, and what they acquire counts once in each. */
@Timeout(30)
class JointOrdersTest {
    private static final int THREADS = 4;
    private static final int CALLS = 10_000;
    private static final long PERMITS = 1L << 40;
    private static final Limit LIMIT = Limit.of(PERMITS, Duration.ofDays(1));
    private static final int SINGLES = 3;
    private static final int KEYS = 3;

    private final List<SlidingWindowLimiter> singles =
            Stream.generate(() -> SlidingWindowLimiter.of(LIMIT)).limit(SINGLES).toList();
    private final KeyedLimiter<Integer> keyed = KeyedLimiter.of(LIMIT);
    private final AtomicLongArray expected = new AtomicLongArray(SINGLES + KEYS);

    @Test
    void calls_namedInEveryOrder_endAndCountOnce() {
        AtomicInteger number = new AtomicInteger();

        new AtOnce()
                .on(THREADS, () -> {
                    SplittableRandom random = Seed.random("orders " + number.getAndIncrement());
                    for (int call = 0; call < CALLS; call++) {
                        call(random);
                    }
                })
                .run();

        singles.forEach(Invariants::check);
        Invariants.check(keyed);
        for (int i = 0; i < expected.length(); i++) {
            assertThat(PERMITS - limiter(i).available(0))
                    .as("%d, %s", i, Seed.hint())
                    .isEqualTo(expected.get(i));
        }
    }

    private void call(SplittableRandom random) {
        int[] named = random.ints(1 + random.nextInt(5), 0, SINGLES + KEYS).toArray();
        Limiter limiter =
                Limiter.allOf(IntStream.of(named).mapToObj(this::limiter).toList());
        int permits = 1 + random.nextInt(3);
        long counted = acquired(limiter, permits, random.nextInt(8));
        IntStream.of(named).distinct().forEach(each -> expected.addAndGet(each, counted));
        if (random.nextInt(50) == 0) {
            keyed.evictIdle(0);
        }
    }

    private Limiter limiter(int index) {
        return index < SINGLES ? singles.get(index) : keyed.forKey(index);
    }

    /** Makes a call, which is granted, and returns how many permits count by it. */
    private static long acquired(Limiter limiter, int permits, int kind) {
        boolean isGranted = switch (kind) {
            case 0 -> {
                limiter.record(0, permits);
                yield true;
            }
            case 1 -> limiter.decide(0, permits).isGranted();
            case 2 -> limiter.tryAcquireOrDelay(0, permits) == 0;
            case 3 -> limiter.reserve(0, 7, Duration.ZERO).adjustTo(permits);
            case 4 -> limiter.reserve(0, permits, Duration.ZERO).cancel();
            case 5 -> limiter.peek(0, permits).isGranted() && limiter.available(0) > 0;
            default -> limiter.tryAcquire(0, permits);
        };
        assertThat(isGranted).isTrue();
        return kind == 4 || kind == 5 ? 0 : permits;
    }
}
