package io.github.hotpath.limit;

import io.github.hotpath.limit.LimiterTraffic.Kind;
import io.github.hotpath.limit.LimiterWorld.Setting;
import io.github.hotpath.testing.Fuzz;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps like those of {@link LimiterModelTest}, new in each run, for minutes. */
@Tag("fuzz")
class LimiterFuzzTest {
    private static final Kind[] KINDS = Kind.values();

    @Test
    void limiters_anySteps_answerAsTheModel() {
        Fuzz.run("limiters", random -> {
            Kind kind = KINDS[random.nextInt(random.nextInt(20) == 0 ? KINDS.length : KINDS.length - 1)];
            Setting setting = LimiterTraffic.setting(kind, random);
            long start = random.nextLong() >> random.nextInt(64);
            int every = kind == Kind.MANY ? 100 : 1 + random.nextInt(1 << random.nextInt(7));
            List<LimiterStep> steps = new ArrayList<>();
            try {
                LimiterTraffic traffic = new LimiterTraffic(kind, setting, start, random);
                LimiterModelTest.make(new CheckedWorld(setting, every), traffic, 500, steps);
            } catch (RuntimeException | AssertionError e) {
                System.out.println(e); // seen again below
            }
            return LimiterModelTest.sequence(setting, every, steps);
        });
    }
}
