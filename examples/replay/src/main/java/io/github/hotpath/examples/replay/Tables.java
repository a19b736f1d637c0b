package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.Result.CandidateResult;
import io.github.hotpath.examples.replay.Result.Refused;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The words and tables of a report, on a terminal and on a page. */
final class Tables {
    private final Result result;
    private final boolean compares;

    /** Takes a result, and whether the other algorithms were tried. */
    Tables(Result result, boolean compares) {
        this.result = result;
        this.compares = compares;
    }

    /** Returns whether the other algorithms were tried. */
    boolean compares() {
        return compares;
    }

    /** Returns what was read, in sentences. */
    List<String> summary() {
        Replay replay = result.replay();
        ReadLog log = result.log();
        List<String> lines = new ArrayList<>();
        String permits = replay.permits() == replay.requests() ? "" : format(" for %,d permits", replay.permits());
        lines.add(format(
                "%s: %,d requests%s of %s clients, from %s to %s.",
                log.name(),
                replay.requests(),
                permits,
                clients(result.clients()),
                time(replay.firstNanos()),
                time(replay.latestNanos())));
        if (result.isEstimated()) {
            lines.add(
                    "There are more clients than are retained, so numbers with a ~ are estimated from a sample of them.");
        }
        if (replay.late() > 0) {
            lines.add(format(
                    "%,d requests are earlier than one before them, by up to %s.",
                    replay.late(), Spans.rounded(replay.latestLateNanos())));
        }
        if (log.withoutKey() > 0) {
            lines.add(format("%,d of %,d lines have no key, and are left out.", log.withoutKey(), log.lines()));
        }
        if (log.unreadable() > 0) {
            lines.add(format("%,d of %,d lines cannot be read. The first:", log.unreadable(), log.lines()));
            log.firstUnreadable().forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    private static String time(long nanos) {
        return Instant.EPOCH.plusNanos(nanos).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Returns what each candidate does with the log. */
    Table candidates() {
        Table table = new Table(
                2,
                "limit",
                "counted by",
                "granted",
                "refused",
                "share",
                "clients refused",
                "share",
                "their requests",
                "mean wait",
                "longest wait",
                "never granted");
        for (CandidateResult candidate : result.candidates()) {
            for (Algorithm algorithm : compares ? Algorithm.values() : new Algorithm[] {Algorithm.SLIDING_WINDOW}) {
                table.add(row(candidate, algorithm));
            }
        }
        return table;
    }

    private String[] row(CandidateResult candidate, Algorithm algorithm) {
        long requests = result.replay().requests();
        boolean isExact = algorithm == Algorithm.SLIDING_WINDOW;
        Refusals refusals = candidate.refusals();
        long number = refusals.number(algorithm);
        Refused refused = candidate.refused().get(algorithm.ordinal());
        boolean waits = isExact && number > refusals.neverGranted();
        return new String[] {
            isExact ? candidate.candidate().toString() : "",
            algorithm.toString(),
            format("%,d", requests - number),
            format("%,d", number),
            percent(number, requests),
            clients(refused.clients()),
            percent(refused.clients(), result.clients()),
            percent(refused.requests(), requests),
            waits ? Spans.rounded(refusals.meanWaitNanos()) : "",
            waits ? Spans.rounded(refusals.longestWaitNanos()) : "",
            isExact && refusals.neverGranted() > 0 ? format("%,d", refusals.neverGranted()) : ""
        };
    }

    /** Returns the clients that a candidate refuses most. */
    Table top(CandidateResult candidate) {
        List<String> head = new ArrayList<>(List.of("client", "requests", "refused", "share"));
        result.intervals().forEach(interval -> head.add("busiest " + Spans.text(interval)));
        head.addAll(List.of("mean wait", "longest wait"));
        Table table = new Table(1, head.toArray(String[]::new));
        for (Client client : candidate.top()) {
            Refusals refusals =
                    client.refusals(candidate.index(), result.candidates().size());
            long refused = refusals.number(Algorithm.SLIDING_WINDOW);
            List<String> row = new ArrayList<>(List.of(
                    client.key,
                    format("%,d", client.requests),
                    format("%,d", refused),
                    percent(refused, client.requests)));
            for (long busiest : client.busiest) {
                row.add(format("%,d", busiest));
            }
            if (refused > refusals.neverGranted()) {
                row.add(Spans.rounded(refusals.meanWaitNanos()));
                row.add(Spans.rounded(refusals.longestWaitNanos()));
            }
            table.add(row.toArray(String[]::new));
        }
        return table;
    }

    /** Returns the sentences of the suggestion, or none. */
    List<String> suggestion() {
        Suggestion suggestion = result.suggestion();
        if (suggestion == null) {
            return List.of();
        }
        String share = percent(result.share(), 1);
        String of = (result.isEstimated() ? "of a sample of " : "of ") + format("%,d clients", suggestion.clients());
        return List.of(
                "The smallest limits that refuse no more than " + share + " " + of + ", each alone: "
                        + limits(suggestion.alone(), " or "),
                "Together: --limit " + limits(suggestion.together(), ",")
                        + format(
                                ", which refuses %,d clients (%s)",
                                suggestion.refusedTogether(),
                                percent(suggestion.refusedTogether(), suggestion.clients())));
    }

    private String limits(long[] permits, String separator) {
        List<Duration> intervals = result.intervals();
        return IntStream.range(0, permits.length)
                .mapToObj(i -> permits[i] + "/" + Spans.text(intervals.get(i)))
                .collect(Collectors.joining(separator));
    }

    /** Returns a number of clients, with a ~ if it is estimated. */
    private String clients(double number) {
        return format(result.isEstimated() ? "~%,.0f" : "%,.0f", number);
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
