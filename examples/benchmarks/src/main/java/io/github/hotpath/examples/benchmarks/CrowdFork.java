package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import java.time.Duration;
import java.util.Map;

/** Measures one case in a JVM of its own, prints the figures and ends, whatever its threads do. */
final class CrowdFork {
    /** Longer than any case takes. */
    static final Duration LIMIT = Duration.ofSeconds(40);

    private static final int EVENTS = 3_000_000;

    private CrowdFork() {}

    public static void main(String[] args) {
        CrowdCase one = CrowdCase.parse(args[0]);
        Thread main = Thread.currentThread();
        Threads.create(false, () -> haltAfterLimit(main)).start();
        int status = 0;
        try {
            System.out.println(new Gson().toJson(measure(one, Boolean.parseBoolean(args[1]))));
        } catch (Exception | Error e) {
            e.printStackTrace();
            status = 1;
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    /** Ends the JVM when the time is over, even if there is no parent any more to do so. */
    private static void haltAfterLimit(Thread main) {
        try {
            Thread.sleep(LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        IllegalStateException late = new IllegalStateException("no end after " + LIMIT + "; the main thread is here");
        late.setStackTrace(main.getStackTrace());
        late.printStackTrace();
        Runtime.getRuntime().halt(2);
    }

    private static Map<String, Double> measure(CrowdCase one, boolean brief) throws InterruptedException {
        Crowd.Size size = brief ? new Crowd.Size(EVENTS, 300, 700) : new Crowd.Size(EVENTS, 400, 1000);
        return switch (one.method()) {
            case LateSources.NAME ->
                LateSources.measure(
                        ExactWindow.valueOf(one.param("window")),
                        one.number("sources"),
                        EVENTS / 10,
                        Duration.ofMillis(brief ? 1500 : 3000));
            case ThreadIds.NAME -> ThreadIds.measure(one.number("apart"), Duration.ofMillis(brief ? 50 : 100));
            default ->
                Crowd.named(one.method()).measure(SharedWindow.valueOf(one.param("window")), one.threads(), size);
        };
    }
}
