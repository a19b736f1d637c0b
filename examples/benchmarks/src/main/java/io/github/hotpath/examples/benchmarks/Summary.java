package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The few calls that a reader asks for first: what each takes, of which the clock is a part, beside what. */
enum Summary {
    RECORD(
            "record",
            "`EventWindow.record`, 10,000 events",
            m -> m.param("events").equals("10000")) {
        @Override
        String who(Measured m) {
            return TableOf.label(m);
        }
    },
    SHARED("concurrent", "`ConcurrentEventWindow.record`, one thread", m -> isRecord(m, 1)) {
        @Override
        String who(Measured m) {
            return counter(m);
        }
    },
    SHARED_BY_TWO("concurrent", "`ConcurrentEventWindow.record`, two threads", m -> isRecord(m, 2)) {
        @Override
        String who(Measured m) {
            return counter(m);
        }
    },
    ENSURE("dirs", "`Dirs.ensure` of an existing directory", m -> true) {
        @Override
        String who(Measured m) {
            return switch (m.method()) {
                case "ensure" -> OURS;
                case "exists", "isDirectory", "createDirectories" -> "`" + m.method() + "`";
                default -> "";
            };
        }
    },
    GRANTED("limiter", "a request granted", m -> m.threads() == 1 && m.outcome().equals("granted")) {
        @Override
        String who(Measured m) {
            return limiter(m);
        }
    },
    REFUSED("limiter", "a request refused", m -> m.threads() == 1 && m.outcome().equals("refused")) {
        @Override
        String who(Measured m) {
            return limiter(m);
        }
    },
    KEY("keyed", "a key's request granted", m -> m.threads() == 1 && m.outcome().equals("granted")) {
        @Override
        String who(Measured m) {
            return switch (Keyed.valueOf(m.param("keyed"))) {
                case CLOCK -> CLOCK;
                case KEYED_LIMITER -> OURS;
                case ONE_LIMITER -> "";
                case BUCKET4J, RESILIENCE4J -> m.keyed();
            };
        }
    },
    TOGETHER(
            "limiter-together",
            "client, tenant and service, granted",
            m -> m.threads() == 1 && m.outcome().equals("granted")) {
        @Override
        String who(Measured m) {
            return switch (Together.valueOf(m.param("together"))) {
                case KEYS_TOGETHER -> OURS;
                case SERVICE_ALONE -> m.together();
                default -> "";
            };
        }
    };

    private static final String OURS = "ours";
    private static final String CLOCK = "clock";

    private final String file;
    private final String call;
    private final Predicate<Measured> takes;

    Summary(String file, String call, Predicate<Measured> takes) {
        this.file = file;
        this.call = call;
        this.takes = takes;
    }

    /** Returns whose figure a result is: ours, the clock's, somebody's, or of no interest if empty. */
    abstract String who(Measured result);

    private static boolean isRecord(Measured m, int threads) {
        return m.method().equals("record") && m.threads() == threads;
    }

    private static String counter(Measured m) {
        return switch (Counter.valueOf(m.param("counter"))) {
            case CLOCK -> CLOCK;
            case CONCURRENT_EVENT_WINDOW -> OURS;
            case LOCKED_EVENT_WINDOW, DROPWIZARD_ARRAY, JETTY ->
                Counter.valueOf(m.param("counter")).toString();
            default -> "";
        };
    }

    private static String limiter(Measured m) {
        return switch (Limiter.valueOf(m.param("limiter"))) {
            case CLOCK -> CLOCK;
            case SLIDING_WINDOW_LIMITER -> OURS;
            default -> m.limiter();
        };
    }

    static MarkdownTable table(Path dir, int jdk) throws IOException {
        MarkdownTable table = new MarkdownTable("call");
        for (Summary summary : values()) {
            List<Measured> results = Measured.read(dir, summary.file, jdk).stream()
                    .filter(summary.takes)
                    .toList();
            table.put(summary.call, "clock alone, ns", summary.clock(dir, jdk, results));
            table.put(
                    summary.call,
                    "hotpath, ns",
                    summary.figure(results, summary == RECORD ? "EventWindow" : OURS)
                            .orElse("–"));
            table.put(summary.call, "others, ns", summary.others(results));
        }
        return table;
    }

    /** Returns what the clock takes in the same run, or a dash if no clock is read. */
    private String clock(Path dir, int jdk, List<Measured> results) throws IOException {
        if (this == TOGETHER) { // beside which the clock was not measured
            return KEY.clock(dir, jdk, Measured.read(dir, KEY.file, jdk));
        }
        return figure(results, CLOCK).orElse("–");
    }

    private Optional<String> figure(List<Measured> results, String who) {
        return results.stream()
                .filter(result -> who(result).equals(who))
                .map(result -> result.primary().figure())
                .findFirst();
    }

    private String others(List<Measured> results) {
        return results.stream()
                .filter(result ->
                        !Stream.of("", OURS, CLOCK, "EventWindow").toList().contains(who(result)))
                .map(result -> who(result) + " " + result.primary().figure())
                .collect(Collectors.joining("; "));
    }
}
