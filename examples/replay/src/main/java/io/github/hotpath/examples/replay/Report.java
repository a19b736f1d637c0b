package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.support.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The words and tables of a report. */
final class Report {
    private static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999, 1};

    private final PrintStream out;
    private final LogReader log;
    private final Replay replay;

    /** Takes what was read and replayed. */
    Report(PrintStream out, LogReader log, Replay replay) {
        this.out = out;
        this.log = log;
        this.replay = replay;
    }

    /**
     * Prints all of it.
     *
     * @param name of the log
     * @param top how many of the clients refused most are listed
     * @param share the part of the clients for which limits are proposed, if there is one
     */
    void print(String name, int top, @Nullable Double share) {
        printWarnings();
        printSummary(name);
        if (!replay.candidates.isEmpty()) {
            out.print("\n" + candidates());
        }
        for (int i = 0; i < replay.candidates.size(); i++) {
            if (top > 0 && !refused(i).isEmpty()) {
                out.print("\nRefused most by " + replay.candidates.get(i) + ":\n" + top(i, top));
            }
        }
        out.print("\nPermits of a client in its busiest interval:\n" + busiest());
        if (share != null) {
            printSuggestion(share);
        }
    }

    /** Prints what makes the figures wrong, perhaps: a key that is none. */
    private void printWarnings() {
        String choose = "; choose the key with --key or --key-regex.";
        if (log.otherKeys > 0) {
            out.println("Warning: " + counted(log.otherKeys, "key is", "keys are") + " no address, such as '"
                    + shown(String.valueOf(log.firstOther), 40) + "'" + choose);
        }
        int clients = replay.clients().size();
        if (clients == 1 && replay.requests > 1) {
            String key = replay.clients().iterator().next().key;
            out.println("Warning: all requests have one key, '" + shown(key, 40) + "'" + choose);
        } else if (clients == replay.requests && clients > 1) {
            out.println("Warning: each request has a key of its own" + choose);
        }
    }

    /** Prints what was read, in sentences. */
    private void printSummary(String name) {
        out.println(name + ": " + counted(replay.requests, "request")
                + (replay.permits == replay.requests ? "" : " for " + counted(replay.permits, "permit")) + " of "
                + counted(replay.clients().size(), "client") + ", from " + time(replay.firstNanos) + " to "
                + time(replay.latestNanos) + ".");
        if (replay.late > 0) {
            out.println(counted(replay.late, "request is", "requests are") + " earlier than one before, by up to "
                    + rounded(replay.latestLateNanos) + ".");
        }
        if (log.withoutKey > 0) {
            out.println(counted(log.withoutKey, "line has", "lines have") + format(" no key, of %,d.", log.lines));
        }
        if (log.unreadable > 0) {
            out.println(counted(log.unreadable, "line is", "lines are")
                    + format(" unreadable, of %,d. The first:", log.lines));
            log.firstUnreadable.forEach(line -> out.println("  " + line));
        }
    }

    private static String time(long nanos) {
        return Instant.EPOCH.plusNanos(nanos).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Returns what each candidate does with the log. */
    private Table candidates() {
        Table table = new Table(
                "limit",
                "granted",
                "refused",
                "share",
                "clients refused",
                "share",
                "their requests",
                "mean wait",
                "longest wait",
                "never granted");
        for (int i = 0; i < replay.candidates.size(); i++) {
            table.add(row(i));
        }
        return table;
    }

    private Object[] row(int candidate) {
        List<Client> refused = refused(candidate);
        Refusals refusals = new Refusals();
        refused.forEach(client -> refusals.addAll(client.refusals[candidate]));
        List<String> waits = waits(refusals);
        return new Object[] {
            replay.candidates.get(candidate),
            replay.requests - refusals.number(),
            refusals.number(),
            percent(refusals.number(), replay.requests),
            (long) refused.size(),
            percent(refused.size(), replay.clients().size()),
            percent(refused.stream().mapToLong(client -> client.requests).sum(), replay.requests),
            waits.get(0),
            waits.get(1),
            refusals.neverGranted > 0 ? refusals.neverGranted : ""
        };
    }

    /** Returns the mean and the longest wait. */
    private static List<String> waits(Refusals refusals) {
        DoubleSummaryStatistics waits = refusals.waits;
        return waits.getCount() == 0 ? List.of("", "") : List.of(rounded(waits.getAverage()), rounded(waits.getMax()));
    }

    private List<Client> refused(int candidate) {
        return replay.clients().stream()
                .filter(client -> client.refused(candidate) > 0)
                .toList();
    }

    /** Returns the clients that a candidate refuses most, at most {@code number}. */
    private Table top(int candidate, int number) {
        List<String> head = new ArrayList<>(List.of("client", "requests", "refused", "share"));
        replay.intervals.forEach(interval -> head.add("busiest " + Spans.text(interval)));
        head.addAll(List.of("mean wait", "longest wait"));
        Table table = new Table(head.toArray(String[]::new));
        refused(candidate).stream()
                .sorted(Comparator.comparingLong((Client client) -> -client.refused(candidate))
                        .thenComparing(client -> client.key))
                .limit(number)
                .forEach(client -> table.add(row(client, client.refusals[candidate])));
        return table;
    }

    private static Object[] row(Client client, Refusals refusals) {
        long refused = refusals.number();
        List<Object> row = new ArrayList<>(
                List.of(shown(client.key, 60), client.requests, refused, percent(refused, client.requests)));
        Arrays.stream(client.busiest).forEach(row::add);
        row.addAll(waits(refusals));
        return row.toArray();
    }

    /** Returns how busy clients are: the permits in the busiest interval of a quantile of them. */
    private Table busiest() {
        Table table = new Table("busiest", "half of clients", "90 %", "99 %", "99.9 %", "all");
        for (int i = 0; i < replay.intervals.size(); i++) {
            int interval = i;
            long[] ascending = replay.clients().stream()
                    .mapToLong(client -> client.busiest[interval])
                    .sorted()
                    .toArray();
            List<Object> row = new ArrayList<>(List.of(Spans.text(replay.intervals.get(i))));
            for (double quantile : QUANTILES) {
                row.add(ascending[(int) Math.ceil(quantile * ascending.length) - 1]);
            }
            table.add(row.toArray());
        }
        return table;
    }

    /** Prints the smallest limits that refuse no more than this part of the clients. */
    private void printSuggestion(double share) {
        Suggestion suggestion = Suggestion.of(
                share, replay.clients().stream().map(client -> client.busiest).toList());
        out.println("\nThe smallest limits that refuse no more than " + percent(share, 1) + " of "
                + counted(suggestion.clients(), "client") + ", each alone: " + limits(suggestion.alone(), " or "));
        out.println("Together: --limit " + limits(suggestion.together(), ",") + ", which refuses "
                + counted(suggestion.refusedTogether(), "client") + " ("
                + percent(suggestion.refusedTogether(), suggestion.clients()) + ")");
    }

    private String limits(long[] permits, String separator) {
        List<Duration> intervals = replay.intervals;
        return IntStream.range(0, permits.length)
                .mapToObj(i -> permits[i] + "/" + Spans.text(intervals.get(i)))
                .collect(Collectors.joining(separator));
    }

    /** Returns text of a log without control characters, which a terminal obeys, and cut where it is too long. */
    static String shown(String text, int length) {
        String shown = text.length() <= length ? text : text.substring(0, length - 3) + "...";
        return shown.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
    }

    /** Returns a number of things, whose name has a plural with an s. */
    static String counted(long number, String singular) {
        return counted(number, singular, singular + "s");
    }

    private static String counted(long number, String singular, String plural) {
        return format("%,d %s", number, number == 1 ? singular : plural);
    }

    /** Returns how long a client waits, in words that are as exact as a reader needs. */
    static String rounded(double nanos) {
        if (nanos < 1e6) {
            return "< 1 ms";
        }
        double seconds = nanos / 1e9;
        return seconds < 1
                ? format("%.0f ms", seconds * 1000)
                : seconds < 100
                        ? format("%.1f s", seconds)
                        : seconds < 6000 ? format("%.1f min", seconds / 60) : format("%,.1f h", seconds / 3600);
    }

    private static String percent(double part, double all) {
        double percent = all == 0 ? 0 : 100 * part / all;
        if (percent == 0) {
            return "0 %";
        }
        return percent < 0.0001
                ? "< 0.0001 %"
                : format(percent < 0.01 ? "%.4f %%" : percent < 1 ? "%.2f %%" : "%.1f %%", percent);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
