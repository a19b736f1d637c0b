package io.github.hotpath.examples.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is measured in one fork: a method with a number of threads, and its parameters. */
record CrowdCase(String method, int threads, Map<String, String> params) {
    /** So many threads are virtual. */
    static final int VIRTUAL = 10_000;

    /** The windows that {@link CrowdRatios} compares. */
    private static final Set<SharedWindow> PAIR =
            EnumSet.of(SharedWindow.CONCURRENT_EVENT_WINDOW, SharedWindow.REENTRANT_LOCK);

    private static final Set<Crowd> LONG_CALLS_BUSY = EnumSet.of(Crowd.TO_ARRAY_BUSY);

    /** Returns all cases. Those that differ in their windows alone are next to each other. */
    static List<CrowdCase> all(boolean virtual) {
        List<CrowdCase> cases = new ArrayList<>();
        for (Crowd crowd : Crowd.values()) {
            for (int threads : new int[] {2, 20, 200, VIRTUAL}) {
                if (threads < VIRTUAL || virtual && !LONG_CALLS_BUSY.contains(crowd)) {
                    addAll(cases, crowd, threads);
                }
            }
        }
        for (int sources = 1; sources <= 8; sources *= 2) {
            cases.add(of(LateSources.NAME, 1, "window", "EVENT_WINDOW", "sources", "" + sources));
            cases.add(of(LateSources.NAME, 1, "window", "CONCURRENT_EVENT_WINDOW", "sources", "" + sources));
        }
        cases.add(of(ThreadIds.NAME, 2, "window", "CONCURRENT_EVENT_WINDOW", "apart", "0"));
        cases.add(of(ThreadIds.NAME, 2, "window", "CONCURRENT_EVENT_WINDOW", "apart", "1"));
        return cases;
    }

    private static void addAll(List<CrowdCase> cases, Crowd crowd, int threads) {
        boolean all = threads < VIRTUAL && !LONG_CALLS_BUSY.contains(crowd);
        for (SharedWindow window : all ? EnumSet.allOf(SharedWindow.class) : PAIR) {
            if (crowd.isPossibleWith(window)) {
                cases.add(of(crowd.toString(), threads, "window", window.name()));
            }
        }
    }

    static CrowdCase of(String method, int threads, String... params) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < params.length; i += 2) {
            map.put(params[i], params[i + 1]);
        }
        return new CrowdCase(method, threads, map);
    }

    /** Reads what {@link #toString} returned. */
    static CrowdCase parse(String text) {
        String[] words = text.split("[ =]");
        return of(words[0], Integer.parseInt(words[1]), Arrays.copyOfRange(words, 2, words.length));
    }

    boolean isVirtual() {
        return threads == VIRTUAL;
    }

    /** Returns whether only the windows differ, so that they are compared. */
    boolean isBeside(CrowdCase other) {
        return method.equals(other.method) && threads == other.threads;
    }

    String param(String name) {
        return params.get(name);
    }

    int number(String param) {
        return Integer.parseInt(param(param));
    }

    @Override
    public String toString() {
        return params.entrySet().stream()
                .map(Map.Entry::toString)
                .collect(Collectors.joining(" ", method + " " + threads + " ", ""));
    }
}
