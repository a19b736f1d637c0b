package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * Shows gauges of a window: two minutes of steady requests, and two minutes of none.
 *
 * <pre>ShowGauges [PER_SECOND]</pre>
 *
 * <p>The argument is the number of requests a second, by default 50. The clock is simulated.
 *
 * <p>The exit status is 0, or 2 if the argument was wrong.
 */
public final class ShowGauges {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private ShowGauges() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("ShowGauges", "[PER_SECOND]", err)
                .run(() -> show(Argument.of(args).number(1, 10_000).orElse(50), out));
    }

    private static void show(int perSecond, PrintStream out) {
        MockClock clock = new MockClock();
        SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        WindowGauges requests = new WindowGauges(
                "http.requests", List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), MINUTE), registry);

        for (int second = 1; second <= 4 * 60; second++) {
            for (int i = 0; i < perSecond; i++) {
                if (second <= 2 * 60) {
                    requests.record();
                }
                clock.add(Duration.ofSeconds(1).dividedBy(perSecond));
            }
            if (second % 30 == 0) {
                out.println("after " + second + " s");
                out.println(registry.getMetersAsString());
            }
        }
    }
}
