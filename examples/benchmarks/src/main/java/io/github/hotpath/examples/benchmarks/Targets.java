package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What must stay true of the figures: bounds of what a call may cost beside another one, or an object may keep. */
final class Targets {
    private static final String OURS = "/limiter=SlidingWindowLimiter/state=";
    private static final String CLOCK = "/limiter=the clock alone/state=";

    private final Results results;
    private final List<String> lines = new ArrayList<>();

    Targets(Results results) {
        this.results = results;
    }

    /** Returns a line for each, of each JDK of which all is measured; what is missed begins with an exclamation mark. */
    List<String> lines() throws IOException {
        for (int jdk : new int[] {17, 25}) {
            boolean isMeasured = true;
            for (String part : Part.ALL.keySet()) {
                isMeasured &= results.has(part, jdk);
            }
            if (isMeasured) {
                windows(jdk);
                limiters(jdk);
                others(jdk);
            }
        }
        return lines;
    }

    private void windows(int jdk) throws IOException {
        for (String events : List.of("100", "10000", "1000000")) {
            String record = "record/events=" + events + "/method=";
            add(
                    jdk,
                    "record of " + events + " events / bare ring",
                    1.7,
                    ratio(jdk, record + "eventWindow", record + "bareRing"));
            add(
                    jdk,
                    "record of " + events + " events / deque",
                    0.55,
                    ratio(jdk, record + "eventWindow", record + "arrayDeque"));
            add(
                    jdk,
                    "record of " + events + " events, bytes allocated",
                    0.5,
                    metric(jdk, record + "eventWindow", "allocated"));
        }
        String count = "count/method=countOfTheInterval/events=";
        add(jdk, "count of a million events / of a hundred", 1.25, ratio(jdk, count + "1000000", count + "100"));
        for (String expired : List.of("all", "all but ten")) {
            String expiry = "expiry/expired=" + expired + "/window=";
            add(
                    jdk,
                    "record that expires " + expired + " of ten million / deque",
                    0.02,
                    ratio(jdk, expiry + "EventWindow", expiry + "ArrayDeque, trimmed"));
        }
        String memory = "memory/window=EventWindow/state=";
        add(jdk, "bytes an event of ten million", 8.2, metric(jdk, memory + "each of ten million events", "bytes"));
        add(
                jdk,
                "bytes when ten million have expired",
                16_384,
                metric(jdk, memory + "all of ten million expired", "bytes"));
        add(jdk, "bytes of three events", 200, metric(jdk, memory + "three events", "bytes"));
        add(jdk, "bytes of three events left", 400, metric(jdk, memory + "three events left of 100,000", "bytes"));
        String shared = "memory/window=ConcurrentEventWindow/state=";
        add(jdk, "bytes of a shared window of three events", 400, metric(jdk, shared + "three events", "bytes"));
        for (String threads : List.of("1", "2")) {
            String counter = "shared-counter/method=record/threads=" + threads + "/counter=";
            add(
                    jdk,
                    "shared record, threads: " + threads + " / clock",
                    1.6,
                    ratio(jdk, counter + "ConcurrentEventWindow", counter + "the clock alone"));
        }
    }

    private void limiters(int jdk) throws IOException {
        for (String threads : List.of("1", "2")) {
            String call = "limiter/threads=" + threads;
            add(
                    jdk,
                    "refused, threads: " + threads + " / clock",
                    1.15,
                    ratio(jdk, call + OURS + States.REFUSED, call + CLOCK + States.REFUSED));
        }
        String alone = "limiter/threads=1";
        add(jdk, "granted far / clock", 2, ratio(jdk, alone + OURS + States.FAR, alone + CLOCK + States.FAR));
        String reservation = "reservation/method=grantAtTheLimit/permits=";
        add(
                jdk,
                "grant of a million permits / of a hundred",
                1.25,
                ratio(jdk, reservation + "1000000", reservation + "100"));
        String key = "keys/threads=1/state=" + States.FAR + "/limiter=";
        add(
                jdk,
                "granted to a key, ns more than one limiter",
                12,
                metric(jdk, key + "KeyedLimiter", "time") - metric(jdk, key + "SlidingWindowLimiter, for all", "time"));
        String web = "web/threads=1/state=" + States.FAR + "/asked=allOf of two keys and the service, decide";
        add(jdk, "decide of client, tenant and service, ns", 150 + 25, metric(jdk, web, "time"));
        add(jdk, "decide of client, tenant and service, bytes", 300, metric(jdk, web, "allocated"));
        add(jdk, "bytes of a limiter", 320 + 16, metric(jdk, "limiter-memory/limiter=SlidingWindowLimiter", "bytes"));
        add(jdk, "bytes of a key", 450, metric(jdk, "limiter-memory/limiter=KeyedLimiter", "bytes"));
    }

    private void others(int jdk) throws IOException {
        for (String threads : jdk < 21 ? List.of("20", "200") : List.of("20", "200", "20 virtual", "200 virtual")) {
            for (String call : List.of("record", "record and count", "granted")) {
                String crowd = "crowd/threads=" + threads + "/call=" + call + "/of=";
                add(
                        jdk,
                        "p99.9 of " + call + ", threads: " + threads + " / with a ReentrantLock",
                        3,
                        metric(jdk, crowd + "hotpath", "call999")
                                / metric(jdk, crowd + "EventWindow, ReentrantLock", "call999"));
            }
        }
        add(jdk, "bounded record, ns", 25, metric(jdk, "bounded/method=record/events=10000000", "time"));
        add(jdk, "bounded window, bytes", 40_000, metric(jdk, "error/allowed=0.01/events=10000000", "bytes"));
        String form = "compact-form/times=1,000 in a minute/method=";
        add(jdk, "compact form, write, ns an event", 15, metric(jdk, form + "write", "time"));
        add(jdk, "compact form, read, ns an event", 15, metric(jdk, form + "read", "time"));
        add(jdk, "ensure / exists", 1.2, ratio(jdk, "dirs/method=dirsEnsure", "dirs/method=filesExists"));
        add(
                jdk,
                "ensure / createDirectories",
                0.25,
                ratio(jdk, "dirs/method=dirsEnsure", "dirs/method=filesCreateDirectories"));
        for (String depth : List.of("2", "5")) {
            String missing = "missing-dirs/depth=" + depth + "/method=";
            add(
                    jdk,
                    "ensure of missing directories, depth " + depth + " / createDirectories",
                    1.05,
                    ratio(jdk, missing + "dirsEnsure", missing + "filesCreateDirectories"));
        }
    }

    private double ratio(int jdk, String one, String other) throws IOException {
        return metric(jdk, one, "time") / metric(jdk, other, "time");
    }

    private double metric(int jdk, String selection, String metric) throws IOException {
        return results.only(selection, jdk).median(metric);
    }

    private void add(int jdk, String what, double most, double value) {
        lines.add(String.format(
                Locale.ROOT, "%s JDK %d, %s: %.4g, at most %.5g", value > most ? "!" : " ", jdk, what, value, most));
    }
}
