package io.github.hotpath.examples.recipes;

import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.recipes.CallLog.Use;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * Shows a client of a language-model service that allows 3000 requests and 200,000 tokens a minute: there is always a
 * question more than it may ask, and each is estimated at ten times the tokens that it takes. The service, and the
 * time, are simulated.
 *
 * <pre>CallModel [MINUTES]</pre>
 *
 * <p>The argument is the number of minutes, by default 6, which take a second.
 *
 * <p>The exit status is 0, 1 if the service has refused a call, a limit was exceeded in any minute, or less than 97 %
 * of the tokens was used in a minute after the first, or 2 if the argument was wrong.
 */
public final class CallModel {
    static final Quota QUOTA = new Quota(3000, 200_000, Duration.ofMinutes(1));
    static final Duration LONGEST_WAY = Duration.ofMillis(20);
    static final Duration PER_TOKEN = Duration.ofNanos(500_000);
    private static final int ASKING = 10;
    private static final int PERCENT = 97;

    private CallModel() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        return run(0, QUOTA, out, err, args);
    }

    /** Does the same from any time on, with a client that takes {@code quota} for that of the service. */
    static int run(long start, Quota quota, PrintStream out, PrintStream err, String... args)
            throws InterruptedException {
        return new Program("CallModel", "[MINUTES]", err).run(() -> {
            int minutes = Argument.of(args).number(1, 10_000).orElse(6);
            SimulatedScheduler scheduler = new SimulatedScheduler(start);
            CallLog log = new CallLog(start);
            SimulatedModel model = new SimulatedModel(QUOTA, LONGEST_WAY, PER_TOKEN, scheduler, log);
            ModelClient client = new ModelClient(model, quota, LONGEST_WAY, ASKING, scheduler::nanos, scheduler);
            for (int i = 0; i < ASKING; i++) {
                askAgainAndAgain(client, i % 2 == 0);
            }
            scheduler.advance(QUOTA.minute().multipliedBy(minutes).minusNanos(1));
            print(log, out);
            check(log, model);
            out.println("no call was refused, and no limit exceeded in any minute");
        });
    }

    /** Asks the next question when the last one has been answered: every second time a long one. */
    private static void askAgainAndAgain(ModelClient client, boolean isLong) {
        client.ask("why ".repeat(isLong ? 20 : 2), isLong ? 1500 : 300)
                .thenRun(() -> askAgainAndAgain(client, !isLong));
    }

    private static void print(CallLog log, PrintStream out) {
        out.println("minute  calls of " + QUOTA.calls() + "  tokens of " + QUOTA.tokens() + "  estimated");
        List<Use> uses = log.byMinute(QUOTA.minute());
        for (int i = 0; i < uses.size(); i++) {
            out.println(line(String.valueOf(i + 1), uses.get(i)));
        }
        out.println(line("any", log.mostInAny(QUOTA.minute())) + "  (the most)");
        out.println(line("all", log.total()));
    }

    private static String line(String minute, Use use) {
        return String.format("%6s  %13d  %15d  %9d", minute, use.calls(), use.tokens(), use.estimated());
    }

    private static void check(CallLog log, SimulatedModel model) throws IOException {
        if (model.refused() > 0) {
            throw new IOException("the service has refused " + model.refused() + " calls");
        }
        Use most = log.mostInAny(QUOTA.minute());
        if (most.calls() > QUOTA.calls() || most.tokens() > QUOTA.tokens()) {
            throw new IOException("a limit was exceeded: up to " + most.calls() + " calls and " + most.tokens()
                    + " tokens in a minute (expected: at most " + QUOTA.calls() + " and " + QUOTA.tokens() + ")");
        }
        for (Use use : log.byMinute(QUOTA.minute()).stream().skip(1).toList()) {
            if (use.tokens() * 100 < (long) PERCENT * QUOTA.tokens()) {
                throw new IOException("only " + use.tokens() + " tokens in a minute");
            }
        }
    }
}
