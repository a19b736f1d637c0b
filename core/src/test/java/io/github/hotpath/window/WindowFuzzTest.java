package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.fuzz.Fuzz;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls like those of {@link EventWindowModelTest}, {@link ConcurrentModelTest} and {@link BoundedModelTest}, new in
 * each run, for minutes.
 */
@Tag("fuzz")
class WindowFuzzTest {
    private static final Traffic.Kind[] KINDS = Traffic.Kind.values();

    @Test
    void eventWindow_anyCalls_answersAsTheModel() {
        Fuzz.run("EventWindow", random -> {
            long interval = interval(random);
            return new Fuzz.Case<>(
                    setting("EventWindow", interval), calls(random, traffic(random, interval)::next), calls -> {
                        EventWindow window = Windows.ofNanos(interval);
                        NaiveWindow model = new NaiveWindow(interval);
                        for (Operation call : calls) {
                            assertThat(call.on(window)).isEqualTo(call.on(model));
                        }
                        Insides.check(window);
                        assertThat(window.toArray()).isEqualTo(model.toArray());
                    });
        });
    }

    /** Each call is made by the thread whose turn it is, so that the events are in several stripes. */
    @Test
    void concurrentEventWindow_anyCallsInTurns_answersAsTheModel() {
        try (Relay relay = new Relay()) {
            Fuzz.run("ConcurrentEventWindow", random -> {
                long interval = interval(random);
                NearTraffic traffic = new NearTraffic(traffic(random, interval));
                List<Operation> calls = calls(random, traffic::next);
                return new Fuzz.Case<>(setting("ConcurrentEventWindow", interval), calls, some -> {
                    ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);
                    relay.spread(window);
                    inTurns(relay, window, new NaiveWindow(interval), some);
                    Insides.check(window);
                });
            });
        }
    }

    @Test
    void boundedEventWindow_anyCalls_boundsHold() {
        Fuzz.run("BoundedEventWindow", random -> {
            long interval = interval(random);
            double error = random.nextInt(4) == 0 ? 1.0 / (1 + random.nextInt(9)) : 1 - random.nextDouble();
            List<BoundedOperation> calls = calls(random, traffic(random, interval)::next).stream()
                    .map(BoundedOperation::like)
                    .toList();
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

    private static void inTurns(Relay relay, ConcurrentEventWindow window, NaiveWindow model, List<Operation> calls) {
        int turn = 7; // as many calls, one thread after the other
        for (int from = 0; from < calls.size(); from += turn) {
            List<Operation> leg = calls.subList(from, Math.min(from + turn, calls.size()));
            relay.run(from / turn % Relay.THREADS, () -> {
                for (Operation call : leg) {
                    assertThat(call.on(window)).isEqualTo(call.concurrent(call.on(model)));
                }
            });
        }
    }

    private static String setting(String type, long interval) {
        return "%s window = %s.of(Duration.ofNanos(%dL));".formatted(type, type, interval);
    }

    /** Every order of magnitude, from one nanosecond to 292 years, equally often. */
    private static long interval(SplittableRandom random) {
        return random.nextLong() >>> 1 + random.nextInt(63);
    }

    private static Traffic traffic(SplittableRandom random, long interval) {
        return new Traffic(KINDS[random.nextInt(KINDS.length)], interval, start(random), random);
    }

    private static List<Operation> calls(SplittableRandom random, Supplier<Operation> traffic) {
        return Stream.generate(traffic).limit(1 << 4 + random.nextInt(9)).toList();
    }

    private static long start(SplittableRandom random) {
        return random.nextBoolean() ? random.nextLong() : random.nextLong() >> random.nextInt(64);
    }
}
