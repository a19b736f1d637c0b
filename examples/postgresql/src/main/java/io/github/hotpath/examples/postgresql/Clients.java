package io.github.hotpath.examples.postgresql;

import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Processes of {@link Client}, and what they have printed. */
final class Clients implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2); // for what hangs

    private final Object[] arguments;
    private final List<ChildJvm> running = new ArrayList<>();
    private final Map<String, Long> outcomes = new HashMap<>();
    private final List<Grant> grants = new ArrayList<>();

    /** A permit of a key that was acquired at some time between the beginning and the end of a call, in nanoseconds. */
    record Grant(int key, long begin, long end) {}

    /** Takes the arguments of each process. */
    Clients(String url, Duration timeout, long permits, Duration interval, int keys) {
        arguments = new Object[] {url, timeout.toMillis(), permits, interval.toMillis(), keys};
    }

    /** Starts a process. */
    void start() throws IOException {
        ChildJvm child = ChildJvm.start(ChildJvm.command(List.of("-XX:TieredStopAtLevel=1"), Client.class, arguments));
        running.add(child);
        Thread reader = new Thread(() -> {
            try {
                add(child.answer(PATIENCE).split(" "));
                add("first answer");
                while (true) {
                    add(child.answer(PATIENCE).split(" "));
                }
            } catch (IOException | InterruptedException e) {
                // It was killed.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private synchronized void add(String... line) {
        outcomes.merge(line[0], 1L, Long::sum);
        if (line[0].equals("granted")) {
            grants.add(new Grant(Integer.parseInt(line[1]), Long.parseLong(line[2]), Long.parseLong(line[3])));
        }
        notifyAll();
    }

    /** Kills the process that was started first, as {@code kill -9} does. */
    void killFirst() {
        running.remove(0).close();
    }

    synchronized long number(String outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** Waits until there are so many more of an outcome. */
    synchronized void awaitMore(String outcome, long more) throws IOException, InterruptedException {
        await(outcome, number(outcome) + more);
    }

    /** Waits until there are so many of an outcome in all; the first answer of each process is one, too. */
    synchronized void await(String outcome, long enough) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (number(outcome) < enough) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                throw new IOException("not " + enough + " " + outcome + " within " + PATIENCE + ": " + outcomes);
            }
            wait(millis);
        }
    }

    synchronized List<Grant> grants() {
        return List.copyOf(grants);
    }

    /**
     * Returns the most permits of one key that are certain to have been acquired within one time span of that length,
     * both ends included. One that has the most begins with a call.
     */
    static long mostWithin(Duration span, List<Grant> grants) {
        return grants.stream()
                .mapToLong(first -> grants.stream()
                        .filter(grant -> grant.key == first.key && grant.begin >= first.begin)
                        .filter(grant -> grant.end - first.begin <= span.toNanos())
                        .count())
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        running.forEach(ChildJvm::close);
    }
}
