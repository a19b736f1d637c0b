package io.github.hotpath.limit;

import io.github.hotpath.fuzz.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls like those of {@link LimiterModelTest}, new in each run, for minutes. */
@Tag("fuzz")
class LimiterFuzzTest {
    private static final LimiterTraffic.Kind[] KINDS = LimiterTraffic.Kind.values();

    @Test
    void slidingWindowLimiter_anyCalls_answersAsTheModel() {
        Fuzz.run("SlidingWindowLimiter", random -> {
            LimiterTraffic.Kind kind = KINDS[random.nextInt(random.nextInt(20) == 0 ? KINDS.length : KINDS.length - 1)];
            List<Limit> limits = LimiterTraffic.limits(kind, random);
            long start = random.nextBoolean() ? random.nextLong() : random.nextLong() >> random.nextInt(64);
            int every = kind.isLarge() ? 100 : 1 + random.nextInt(1 << random.nextInt(7));
            return new Fuzz.Case<>(
                    LimiterReport.setting(limits),
                    LimiterModelTest.calls(kind, limits, start, random),
                    calls -> LimiterReport.check(limits, calls, every));
        });
    }
}
