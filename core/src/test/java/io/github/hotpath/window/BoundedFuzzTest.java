package io.github.hotpath.window;

import io.github.hotpath.fuzz.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls like those of {@link BoundedModelTest}, new in each run, for minutes. */
@Tag("fuzz")
class BoundedFuzzTest {
    private static final Traffic.Kind[] KINDS = Traffic.Kind.values();

    @Test
    void boundedEventWindow_anyCalls_boundsHold() {
        Fuzz.run("BoundedEventWindow", random -> {
            long interval = random.nextLong() >>> 1 + random.nextInt(63);
            double error = random.nextInt(4) == 0 ? 1.0 / (1 + random.nextInt(9)) : 1 - random.nextDouble();
            List<BoundedOperation> calls = calls(random, interval);
            return new Fuzz.Case<>(BoundedModelTest.setting(interval, error), calls, some -> {
                BoundedEventWindow window = Windows.boundedOfNanos(interval, error);
                BoundedModel model = new BoundedModel(interval, error);
                for (BoundedOperation call : some) {
                    call.on(window, model);
                    model.check(window, call.nanos());
                    model.check(window, call.nanos(), interval / 2);
                }
            });
        });
    }

    private static List<BoundedOperation> calls(SplittableRandom random, long interval) {
        long start = random.nextBoolean() ? random.nextLong() : random.nextLong() >> random.nextInt(64);
        Traffic traffic = new Traffic(KINDS[random.nextInt(KINDS.length)], interval, start, random);
        NaiveWindow size = new NaiveWindow(interval);
        List<BoundedOperation> calls = new ArrayList<>();
        int most = 1 << 4 + random.nextInt(8);
        while (calls.size() < most) {
            Operation operation = traffic.next();
            operation.on(size);
            calls.add(BoundedOperation.like(operation));
        }
        return calls;
    }
}
