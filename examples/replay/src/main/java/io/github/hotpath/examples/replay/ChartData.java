package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.Result.CandidateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the script of the page draws, as JSON.
 *
 * @param startMillis when the first bin of the numbers per minute begins, since 1970
 * @param widthMillis the time span of a bin
 * @param width the same in words
 * @param requests by bin
 * @param algorithms the names, in the order of the refusals
 * @param compares whether others than the first were tried
 */
record ChartData(
        long startMillis,
        long widthMillis,
        String width,
        long[] requests,
        List<String> algorithms,
        boolean compares,
        List<OfCandidate> candidates,
        List<OfInterval> intervals) {

    /**
     * A candidate.
     *
     * @param perBin its refusals by bin
     * @param refused its refusals by algorithm
     */
    record OfCandidate(String name, long[] perBin, long[] refused, List<OfClient> top) {}

    /** A client with refusals. */
    record OfClient(String name, long granted, long refused) {}

    /**
     * An interval whose busiest one was found for each client.
     *
     * @param points permits and the number of clients above, ascending
     * @param all the clients
     */
    record OfInterval(String name, List<double[]> points, List<Long> limits, double all) {}

    static ChartData of(Result result, boolean compares) {
        Timeline timeline = result.replay().timeline();
        Duration width = timeline.width();
        return new ChartData(
                timeline.startNanos() / 1_000_000,
                width.toMillis(),
                width.toMinutes() == 1 ? "minute" : words(width),
                timeline.numbers(0),
                Stream.of(Algorithm.values()).map(Algorithm::toString).toList(),
                compares,
                result.candidates().stream()
                        .map(candidate -> candidate(candidate, timeline))
                        .toList(),
                result.distributions().stream()
                        .map(distribution -> interval(distribution, result.clients()))
                        .toList());
    }

    private static String words(Duration width) {
        return width.toMinutes() < 120 ? width.toMinutes() + " minutes" : Spans.rounded(width.toNanos());
    }

    private static OfCandidate candidate(CandidateResult candidate, Timeline timeline) {
        List<OfClient> top = new ArrayList<>();
        for (Client client : candidate.top()) {
            long refused = client.refused(candidate.index(), Algorithm.SLIDING_WINDOW);
            top.add(new OfClient(Shown.text(client.key, 40), client.requests - refused, refused));
        }
        return new OfCandidate(
                candidate.candidate().toString(),
                timeline.numbers(1 + candidate.index()),
                Stream.of(Algorithm.values())
                        .mapToLong(algorithm -> candidate.refusals().number(algorithm))
                        .toArray(),
                top);
    }

    private static OfInterval interval(Distribution distribution, double all) {
        return new OfInterval(
                Spans.text(distribution.interval()),
                distribution.points().stream()
                        .map(point -> new double[] {point.permits(), point.clients()})
                        .toList(),
                distribution.limits(),
                all);
    }
}
