package io.github.hotpath.examples.benchmarks;

import com.google.gson.Gson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is measured in JVMs of its own, and not by JMH, since each call has its time, and long calls are beside short
 * ones: many threads that share a window, and requests that wait.
 */
record ForkedCase(String method, int threads, Map<String, String> params) {
    /** Longer than any case takes. */
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private static final int EVENTS = 3_000_000;
    private static final int REQUESTS = 1_000;
    private static final String WINDOW = "window";
    private static final String WAITING = "waiting";

    /** Returns all cases by the name of their part. Those that are compared are next to each other. */
    static Map<String, List<ForkedCase>> all(boolean virtual) {
        List<ForkedCase> crowds = new ArrayList<>();
        for (Crowd crowd : Crowd.values()) {
            for (int threads : new int[] {20, 200}) {
                addAll(crowds, crowd, threads, Map.of());
            }
            if (virtual) {
                addAll(crowds, crowd, 200, Map.of("virtual", "true"));
            }
        }
        List<ForkedCase> waiting = new ArrayList<>();
        for (WaitingCrowd crowd : WaitingCrowd.values()) {
            for (Waiting limiter : Waiting.values()) {
                waiting.add(
                        new ForkedCase(WAITING, REQUESTS, ordered("crowd", crowd.name(), "limiter", limiter.name())));
            }
        }
        return Map.of("crowd", crowds, WAITING, waiting);
    }

    private static void addAll(List<ForkedCase> cases, Crowd crowd, int threads, Map<String, String> more) {
        for (SharedWindow window : SharedWindow.values()) {
            if (crowd.isPossibleWith(window)) {
                Map<String, String> params = ordered(WINDOW, window.name());
                params.putAll(more);
                cases.add(new ForkedCase(crowd.toString(), threads, params));
            }
        }
    }

    private static Map<String, String> ordered(String... params) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < params.length; i += 2) {
            map.put(params[i], params[i + 1]);
        }
        return map;
    }

    /** Reads what {@link #toString} returned. */
    static ForkedCase parse(String text) {
        String[] words = text.split("[ =]");
        return new ForkedCase(
                words[0], Integer.parseInt(words[1]), ordered(Arrays.copyOfRange(words, 2, words.length)));
    }

    @Override
    public String toString() {
        return Stream.concat(
                        Stream.of(method, String.valueOf(threads)),
                        params.entrySet().stream().map(Map.Entry::toString))
                .collect(Collectors.joining(" "));
    }

    /** Measures one case, prints the figures and ends the JVM, whatever its threads do. */
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Threads.create(false, () -> haltAfterLimit(main)).start();
        int status = 0;
        try {
            System.out.println(new Gson().toJson(parse(args[0]).measure(Boolean.parseBoolean(args[1]))));
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

    private Map<String, Double> measure(boolean brief) throws InterruptedException {
        if (method.equals(WAITING)) {
            return WaitingCrowd.valueOf(params.get("crowd")).measure(Waiting.valueOf(params.get("limiter")), REQUESTS);
        }
        Crowd.Size size = brief ? new Crowd.Size(EVENTS, 50, 700) : new Crowd.Size(EVENTS, 100, 1000);
        return Crowd.named(method)
                .measure(SharedWindow.valueOf(params.get(WINDOW)), threads, params.containsKey("virtual"), size);
    }
}
