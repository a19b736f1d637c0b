package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.recipes.ErrorAlarm.Level;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows an alarm on a rate of errors: twelve minutes of a service with ten requests a second, of which the middle four
 * have six percent of errors and the others one. The clock is simulated.
 */
public final class WatchErrors {
    private static final Level RAISE = new Level(10, 5);
    private static final Level CLEAR = new Level(5, 3);

    private WatchErrors() {}

    /** Runs the program. */
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        out.println("raised above " + RAISE + ", cleared when no longer above " + CLEAR);
        out.println("changes: " + watch(CLEAR, out));
        out.println("the same without hysteresis");
        out.println("changes: " + watch(RAISE, out));
    }

    /** Simulates the minutes, prints each change of the alarm, and returns their number. */
    private static int watch(Level clear, PrintStream out) {
        AtomicLong clock = new AtomicLong();
        ErrorAlarm alarm = new ErrorAlarm(Duration.ofMinutes(1), RAISE, clear, clock::get);
        Random random = new Random(1); // the same events each time
        boolean raised = false;
        int changes = 0;
        for (int second = 1; second <= 12 * 60; second++) {
            int percent = second > 4 * 60 && second <= 8 * 60 ? 6 : 1;
            for (int i = 0; i < 10; i++) {
                alarm.record(random.nextInt(100) < percent);
                clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            }
            if (alarm.update() != raised) {
                raised = !raised;
                changes++;
                String change = raised ? "raised" : "cleared";
                out.printf(Locale.ROOT, "%2d:%02d  %s: %s%n", second / 60, second % 60, change, alarm.counts());
            }
        }
        return changes;
    }
}
