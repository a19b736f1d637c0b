package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of {@code docs/semantics.md}, read from the page and run: the first line tells what to make, and each of
 * the others has a call, and begins its right column with the result. Other tests are about threads and lines.
 */
class SemanticsTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolveSibling("docs")
            .resolve("semantics.md");

    /** The sections with a picture, with threads, and with another test below. */
    private static final List<String> NOT_RUN = List.of(
            "The window is closed at both ends", "Many threads", "Waiting in line", "Bounds instead of a count");

    private static final Pattern CALL =
            Pattern.compile("(?:(\\w+) = )?(?:(\\w+|forKey\\(\"\\w+\"\\))\\.)?(\\w+)\\((.*?)\\)(?: {2,}(.*))?");
    private static final Pattern LIMIT = Pattern.compile("(\\d+) (permit|call)s? in (\\d+) ns");

    /** A block of the page, without its indentation and empty lines. */
    private record Example(String heading, List<String> lines) {
        @Override
        public String toString() {
            return heading + ": " + lines.get(0);
        }
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        String heading = "";
        String block = ""; // the beginning of the block that is open
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                block = block.isEmpty() ? line : "";
                if (block.equals("```")) {
                    examples.add(new Example(heading, new ArrayList<>()));
                }
            } else if (block.equals("```") && !line.isBlank()) {
                examples.get(examples.size() - 1).lines.add(line.strip());
            } else if (block.isEmpty() && line.startsWith("#")) {
                heading = line.replaceFirst("#+ ", "");
            }
        }
        return examples;
    }

    static Stream<Example> examplesToRun() throws IOException {
        return examples().stream().filter(example -> !NOT_RUN.contains(example.heading));
    }

    @Test
    void everyExample_isRunOrNamedAsNotRun() throws IOException {
        assertThat(examples()).extracting(Example::heading).containsAll(NOT_RUN);
        assertThat(examplesToRun()).hasSize(11);
    }

    @ParameterizedTest
    @MethodSource("examplesToRun")
    void example_hasTheResultsOfThePage(Example example) {
        Run run = new Run(example.lines.get(0));
        example.lines.stream().skip(1).forEach(run::next);

        assertThat(run.expected).isEmpty();
    }

    /** What an example has made so far, by its name in the page; what a call without a name in front is of is "". */
    private static final class Run {
        final Map<String, Object> named = new HashMap<>();

        /** The lines that are to follow the last call. */
        List<String> expected = new ArrayList<>();

        Run(String first) {
            if (first.equals("interval 10, one permit")) {
                named.put("", KeyedLimiter.<String>of(Limit.of(1, Duration.ofNanos(10))));
            } else if (first.startsWith("interval ")) {
                named.put("", EventWindow.of(Duration.ofNanos(number(first.substring(9)))));
            } else if (first.startsWith("a: ")) {
                String[] parts = first.split(" {2,}");
                named.put("a", SlidingWindowLimiter.of(limits(parts[0])));
                named.put("b", SlidingWindowLimiter.of(limits(parts[1])));
                assertThat(parts[2]).isEqualTo("all = Limiter.allOf(a, b)");
                named.put("all", Limiter.allOf((Limiter) named.get("a"), (Limiter) named.get("b")));
            } else {
                named.put("", SlidingWindowLimiter.of(limits(first)));
            }
        }

        void next(String line) {
            if (!expected.isEmpty()) {
                assertThat(line).isEqualTo(expected.remove(0));
                return;
            }
            Matcher call = CALL.matcher(line);
            assertThat(call.matches()).as(line).isTrue();
            String name = call.group(2) == null ? "" : call.group(2);
            Object on = name.startsWith("forKey") ? forKey(name.split("\"")[1]) : named.get(name);
            String result = result(on, call.group(3), call.group(4), call.group(1));

            assertThat(call.group(5) == null ? "" : call.group(5)).as(line).matches(result + "(\\W.*)?");
        }

        @SuppressWarnings("unchecked") // the examples of the page have keys that are strings
        private Limiter forKey(String key) {
            return ((KeyedLimiter<String>) named.get("")).forKey(key);
        }

        /** Makes a call, and returns what the page begins its result with, or a pattern for anything. */
        private String result(Object on, String method, String arguments, String name) {
            if (on instanceof EventWindow window) {
                long nanos = number(arguments);
                return "" + (method.equals("record") ? window.record(nanos) : window.count(nanos));
            }
            if (on instanceof Reservation reservation) {
                return "" + reservation.adjustTo((int) number(arguments));
            }
            if (method.equals("setLimits")) {
                ((SlidingWindowLimiter) on).setLimits(limits(arguments));
                return "";
            }
            Limiter limiter = (Limiter) on;
            String[] parts = arguments.split(", ");
            long nanos = number(parts[0]);
            int permits = parts.length == 1 ? 0 : (int) number(parts[1]);
            switch (method) {
                case "available":
                    return "" + limiter.available(nanos);
                case "tryAcquire":
                    return granted(limiter.tryAcquire(nanos, permits));
                case "tryAcquireOrDelay":
                    return "" + limiter.tryAcquireOrDelay(nanos, permits);
                case "reserve":
                    Reservation reservation = limiter.reserve(nanos, permits, Duration.ofNanos(number(parts[2])));
                    named.put(name == null ? method : name, reservation);
                    return granted(reservation.isGranted()) + ", delayNanos " + reservation.delayNanos();
                case "decide":
                    Decision decision = limiter.decide(nanos, permits);
                    decision.quotas().forEach(quota -> expected.add(shown(quota)));
                    return granted(decision.isGranted()) + ", delayNanos " + decision.delayNanos();
                case "record":
                    limiter.record(nanos, permits);
                    return ".*";
                case "closeFor":
                    limiter.closeFor(nanos, Duration.ofNanos(permits));
                    return ".*";
                default:
                    throw new AssertionError(method);
            }
        }

        private static String shown(Quota quota) {
            return quota.limit().max() + " permits in "
                    + quota.limit().interval().toNanos() + " ns:  remaining "
                    + quota.remaining() + ", nanosUntilMore " + quota.nanosUntilMore()
                    + (quota.exceeded() ? ", exceeded" : ", not exceeded");
        }

        private static String granted(boolean isGranted) {
            return isGranted ? "granted" : "refused";
        }

        private static long number(String text) {
            return Long.parseLong(text.replace(" ns", ""));
        }

        private static List<Limit> limits(String text) {
            return LIMIT.matcher(text)
                    .results()
                    .map(limit -> {
                        long max = number(limit.group(1));
                        Duration interval = Duration.ofNanos(number(limit.group(3)));
                        return limit.group(2).equals("call") ? Limit.ofCalls(max, interval) : Limit.of(max, interval);
                    })
                    .toList();
        }
    }

    @Test
    void boundsInsteadOfACount() throws IOException {
        assertThat(examples())
                .contains(new Example(
                        "Bounds instead of a count",
                        List.of(
                                "maxRelativeError 0.01",
                                "100 events in the window         countAtLeast and countAtMost both return 100",
                                "10,000 events in the window      countAtMost - countAtLeast is at most 100")));
        BoundedEventWindow bounded = BoundedEventWindow.of(Duration.ofSeconds(1), 0.01);
        for (int event = 1; event <= 10_000; event++) {
            bounded.record(event);
            if (event == 100) {
                assertThat(bounded.countAtLeast(event)).isEqualTo(100);
                assertThat(bounded.countAtMost(event)).isEqualTo(100);
            }
        }

        assertThat(bounded.countAtMost(10_000) - bounded.countAtLeast(10_000)).isLessThanOrEqualTo(100);
    }
}
