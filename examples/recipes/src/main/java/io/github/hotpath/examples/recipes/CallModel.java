package io.github.hotpath.examples.recipes;

import com.google.common.util.concurrent.MoreExecutors;
import io.github.hotpath.examples.Argument;
import io.github.hotpath.examples.Program;
import io.github.hotpath.examples.recipes.CallLog.Use;
import io.github.hotpath.examples.recipes.ModelClient.Quota;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Shows a client of a language-model service that allows 60 requests and 6000 tokens a minute: threads that ask as fast
 * as they can, first short questions, which exhaust the limit of requests, and then long ones, which exhaust that of
 * tokens. A minute lasts a second here, and the service is simulated.
 *
 * <pre>CallModel [CALLS]</pre>
 *
 * <p>The argument is the number of calls, by default 160, which take some six seconds.
 *
 * <p>The exit status is 0, 1 if a limit was exceeded in any minute, by the log of all calls, or 2 if the argument was
 * wrong.
 */
public final class CallModel {
    private static final Quota QUOTA = new Quota(60, 6000, Duration.ofSeconds(1));
    private static final Duration MARGIN = Duration.ofMillis(50);
    private static final Duration MAX_DELAY = QUOTA.minute().multipliedBy(10);
    private static final long NANOS_PER_TOKEN = QUOTA.minute().dividedBy(3000).toNanos(); // 50 tokens a "second"
    private static final int THREADS = 6;

    private CallModel() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        Program.exit(run(System.out, System.err, args));
    }

    /** Runs the program with {@code args}, by the real clock, and returns the exit status. */
    static int run(PrintStream out, PrintStream err, String... args) throws InterruptedException {
        Pause pause = TimeUnit.NANOSECONDS::sleep;
        Model model = new SimulatedModel(NANOS_PER_TOKEN, pause);
        return run(model, System::nanoTime, pause, WaitingThreads.start(), out, err, args);
    }

    /** Does the same with any model, clock and threads, and shuts the threads down. */
    static int run(
            Model model,
            LongSupplier nanoClock,
            Pause pause,
            ExecutorService threads,
            PrintStream out,
            PrintStream err,
            String... args)
            throws InterruptedException {
        try {
            CallLog log = new CallLog(nanoClock.getAsLong());
            ModelClient client = new ModelClient(model, QUOTA, MARGIN, MAX_DELAY, nanoClock, pause, log);
            return new Program("CallModel", "[CALLS]", err).run(() -> {
                ask(client, Argument.of(args).number(1, 10_000).orElse(160), threads);
                print(log, out);
                check(log);
                out.println("no limit was exceeded in any minute");
            });
        } finally {
            MoreExecutors.shutdownAndAwaitTermination(threads, Duration.ofMinutes(1));
        }
    }

    /** Asks all questions, each by the next thread that has an answer. */
    private static void ask(ModelClient client, int calls, ExecutorService threads)
            throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Callable<Void> asking = () -> {
            for (int i = next.getAndIncrement(); i < calls; i = next.getAndIncrement()) {
                boolean isShort = i < calls / 2;
                String prompt = "why ".repeat(isShort ? 25 : 200);
                client.ask(prompt, isShort ? 50 : 200)
                        .orElseThrow(() -> new IOException("a call would have had to wait longer than " + MAX_DELAY));
            }
            return null;
        };
        List<Future<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(threads.submit(asking));
        }
        for (Future<Void> task : tasks) {
            Tasks.result(task);
        }
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
        return String.format("%6s  %11d  %14d  %9d", minute, use.calls(), use.tokens(), use.estimated());
    }

    private static void check(CallLog log) throws IOException {
        Use most = log.mostInAny(QUOTA.minute());
        if (most.calls() > QUOTA.calls() || most.tokens() > QUOTA.tokens()) {
            throw new IOException("a limit was exceeded: up to " + most.calls() + " calls and " + most.tokens()
                    + " tokens in a minute (expected: at most " + QUOTA.calls() + " and " + QUOTA.tokens() + ")");
        }
    }
}
