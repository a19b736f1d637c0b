package io.github.hotpath.examples.recipes;

import com.google.common.util.concurrent.MoreExecutors;
import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.recipes.MachineCounter.Bounds;
import io.github.hotpath.window.EventWindow;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Shows one count of many machines: each, a thread here, counts by itself, and a reader adds up their bounds. Beside
 * it is the exact count, for which each machine retains the time of every event.
 *
 * <pre>CountFleet [MACHINES]</pre>
 *
 * <p>The argument is the number of machines, by default 4. The clocks are simulated.
 *
 * <p>The exit status is 0, or 2 if the argument was wrong.
 */
public final class CountFleet {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private CountFleet() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("CountFleet", "[MACHINES]", err)
                .run(() -> show(Argument.of(args).number(1, 100).orElse(4), out));
    }

    private static void show(int machines, PrintStream out) throws InterruptedException {
        List<Machine> fleet = IntStream.rangeClosed(1, machines)
                .mapToObj(number -> new Machine(1_000 * number))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(machines);
        try {
            threads.invokeAll(fleet);
        } finally {
            MoreExecutors.shutdownAndAwaitTermination(threads, Duration.ofMinutes(1));
        }
        for (Duration span : List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), LONGEST)) {
            List<Bounds> bounds = new ArrayList<>();
            long exact = 0;
            for (Machine machine : fleet) {
                bounds.add(machine.counter.last(span));
                exact += machine.exact.count(machine.clock.read(), span);
            }
            out.println(line(span, bounds, exact));
        }
    }

    private static String line(Duration span, List<Bounds> bounds, long exact) {
        Bounds all = Bounds.sum(bounds);
        return String.format(
                Locale.ROOT,
                "in the last %d s: from %,d to %,d on %d machines, exactly %,d",
                span.toSeconds(),
                all.atLeast(),
                all.atMost(),
                bounds.size(),
                exact);
    }

    /** A machine that has served so many requests a second for two minutes, on its own clock. */
    private static final class Machine implements Callable<Void> {
        private final int perSecond;
        private final SimulatedClock clock = new SimulatedClock();
        private final MachineCounter counter = new MachineCounter(LONGEST, clock::read);
        private final EventWindow exact = EventWindow.of(LONGEST);

        Machine(int perSecond) {
            this.perSecond = perSecond;
        }

        @Override
        public Void call() {
            for (int i = 0; i < 120 * perSecond; i++) {
                clock.advance(Duration.ofSeconds(1).dividedBy(perSecond));
                counter.record(1);
                exact.record(clock.read());
            }
            return null;
        }
    }
}
