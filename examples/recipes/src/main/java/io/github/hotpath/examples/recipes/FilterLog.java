package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import java.io.PrintStream;
import java.time.Duration;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * Shows a log filter: ten seconds of a service that logs a hundred lines of one kind a second, and occasionally one of
 * another.
 *
 * <pre>FilterLog [LINES]</pre>
 *
 * <p>The argument is the number of lines of a kind that may pass in any three seconds, by default 2. The clock is
 * simulated.
 *
 * <p>The exit status is 0, or 2 if the argument was wrong.
 */
public final class FilterLog {
    private FilterLog() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return new Program("FilterLog", "[LINES]", err)
                .run(() -> show(Argument.of(args).number(1, 1000).orElse(2), out));
    }

    private static void show(int limit, PrintStream out) {
        SimulatedClock clock = new SimulatedClock();
        Handler handler = new LimitingHandler(plain(out), limit, Duration.ofSeconds(3), clock::read);
        Logger logger = Logger.getAnonymousLogger();
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);

        for (int i = 0; i < 1000; i++) {
            clock.advance(Duration.ofMillis(10));
            logger.log(Level.WARNING, "no answer from {0}", "host" + i % 7);
            if (i % 400 == 0) {
                logger.log(Level.INFO, "{0} requests", String.valueOf(i));
            }
        }
        handler.flush(); // and not close, which would close out
    }

    /** Returns a handler that prints the bare message. */
    private static Handler plain(PrintStream out) {
        return new StreamHandler(out, new Formatter() {
            @Override
            public String format(LogRecord line) {
                return formatMessage(line) + System.lineSeparator();
            }
        });
    }
}
