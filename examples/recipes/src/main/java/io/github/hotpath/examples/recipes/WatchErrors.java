package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.recipes.ErrorAlarm.Counts;
import io.github.hotpath.examples.recipes.ErrorAlarm.Level;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows an alarm on an error rate: twelve minutes of a service, of which the middle four have many errors.
 *
 * <pre>WatchErrors [PER_CENT]</pre>
 *
 * <p>The argument is the percentage of errors in these four minutes, by default 6; in the others it is one. The clock
 * is simulated.
 *
 * <p>The exit status is 0, or 2 if the argument was wrong.
 */
public final class WatchErrors {
    private static final Level RAISE = new Level(10, 5);
    private static final Level CLEAR = new Level(5, 3);
    private static final int EVENTS_PER_SECOND = 10;

    private WatchErrors() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("WatchErrors", "[PER_CENT]", err)
                .run(() -> show(Argument.of(args).number(0, 100).orElse(6), out));
    }

    private static void show(int badPercent, PrintStream out) {
        out.println("raised above " + text(RAISE) + ", cleared when no longer above " + text(CLEAR));
        int changes = watch(CLEAR, badPercent, out::println);
        int withoutHysteresis = watch(RAISE, badPercent, line -> {});
        out.println("changes of the alarm: " + changes + "; without hysteresis: " + withoutHysteresis);
    }

    /**
     * Simulates the minutes, prints each and each change of the alarm, and returns the number of changes.
     */
    private static int watch(Level clear, int badPercent, Consumer<String> log) {
        SimulatedClock clock = new SimulatedClock();
        ErrorAlarm alarm = new ErrorAlarm(RAISE, clear, clock::read);
        Random random = new Random(1); // the same events each time
        boolean raised = false;
        int changes = 0;
        for (int second = 1; second <= 12 * 60; second++) {
            int percent = second > 4 * 60 && second <= 8 * 60 ? badPercent : 1;
            for (int i = 0; i < EVENTS_PER_SECOND; i++) {
                alarm.record(random.nextInt(100) < percent);
                clock.advance(Duration.ofSeconds(1).dividedBy(EVENTS_PER_SECOND));
            }
            if (alarm.update() != raised) {
                raised = !raised;
                changes++;
                log.accept(spans(second, alarm) + (raised ? "  RAISED" : "  cleared"));
            } else if (second % 60 == 0) {
                log.accept(spans(second, alarm));
            }
        }
        return changes;
    }

    private static String text(Level level) {
        return level.errors() + " errors and " + level.percent() + " %";
    }

    private static String spans(int second, ErrorAlarm alarm) {
        return Stream.of(Duration.ofSeconds(1), ErrorAlarm.SPAN, ErrorAlarm.LONGEST)
                .map(span -> span(alarm.last(span), span))
                .collect(Collectors.joining(", ", String.format("%2d:%02d  ", second / 60, second % 60), ""));
    }

    private static String span(Counts counts, Duration span) {
        return counts.errors() + " of " + counts.events() + " in " + span.toSeconds() + " s";
    }
}
