package io.github.hotpath.examples.web;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What a client of the program was answered, and what should not have been. For one thread at a time. */
final class Tally {
    static final String HEADING =
            row("client", "requests", "served", "refused", "by", "Retry-After", "as it should be");

    private final String client;
    private final Set<String> policies = new TreeSet<>();
    private int served;
    private int refused;
    private String longestWait = "-";
    private long longestWaitNanos;
    private String fault = "";

    Tally(String client) {
        this.client = client;
    }

    void add(HttpCaller.Answer answer) {
        if (answer.isRefused()) {
            refused++;
            policies.addAll(answer.violated());
            longestWait(answer.retryAfterSeconds() * 1_000_000_000, answer.retryAfterSeconds() + " s");
        } else {
            served++;
        }
    }

    /** Adds the answer to a call by gRPC: the delay, 0 if it was served. */
    void addCall(long delayNanos) {
        if (delayNanos > 0) {
            refused++;
            longestWait(delayNanos, delayNanos / 1_000_000 + " ms");
        } else {
            served++;
        }
    }

    private void longestWait(long nanos, String text) {
        if (nanos > longestWaitNanos) {
            longestWaitNanos = nanos;
            longestWait = text;
        }
    }

    int served() {
        return served;
    }

    int refused() {
        return refused;
    }

    Set<String> policies() {
        return policies;
    }

    /** Notes what is wrong, if it is the first that is. */
    void check(boolean isRight, String otherwise) {
        if (!isRight && fault.isEmpty()) {
            fault = otherwise;
        }
    }

    boolean isRight() {
        return fault.isEmpty();
    }

    @Override
    public String toString() {
        return row(
                client,
                Integer.toString(served + refused),
                Integer.toString(served),
                Integer.toString(refused),
                policies.isEmpty() ? "-" : String.join(", ", policies),
                longestWait,
                isRight() ? "yes" : "NO: " + fault);
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, "%-38s %9s %7s %8s  %-15s %12s  %s", (Object[]) cells);
    }
}
