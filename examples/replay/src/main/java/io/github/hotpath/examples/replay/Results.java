package io.github.hotpath.examples.replay;

import io.github.hotpath.examples.replay.Result.CandidateResult;
import io.github.hotpath.examples.replay.Result.Refused;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes the result of a replay that has ended. */
final class Results {
    private final Replay replay;
    private final List<Candidate> candidates;
    private final List<Duration> intervals;
    private final int top;

    /** Takes what was replayed, and how many clients are listed. */
    Results(Replay replay, List<Candidate> candidates, List<Duration> intervals, int top) {
        this.replay = replay;
        this.candidates = candidates;
        this.intervals = intervals;
        this.top = top;
    }

    /** Returns the result, with suggestions unless the share of clients that may be refused is negative. */
    Result of(ReadLog log, double share) {
        Clients clients = replay.clients();
        List<long[]> busiest = clients.sample().map(client -> client.busiest).toList();
        return new Result(
                log,
                replay,
                busiest.size() * clients.weight(),
                clients.weight() > 1,
                IntStream.range(0, candidates.size()).mapToObj(this::candidate).toList(),
                IntStream.range(0, intervals.size())
                        .mapToObj(i -> distribution(i, busiest))
                        .toList(),
                intervals,
                share,
                share < 0 || busiest.isEmpty() ? null : Suggestion.of(share, busiest));
    }

    private CandidateResult candidate(int index) {
        Comparator<Client> mostRefused = Comparator.comparingLong(
                        (Client client) -> client.refused(index, Algorithm.SLIDING_WINDOW))
                .reversed()
                .thenComparing(client -> client.key);
        return new CandidateResult(
                candidates.get(index),
                index,
                replay.refusals(index),
                Stream.of(Algorithm.values())
                        .map(algorithm -> refused(index, algorithm))
                        .toList(),
                replay.clients().retained().stream()
                        .filter(client -> client.refused(index, Algorithm.SLIDING_WINDOW) > 0)
                        .sorted(mostRefused)
                        .limit(top)
                        .toList());
    }

    /** Counts all clients that are refused; if some of them are not retained any more, those in the sample. */
    private Refused refused(int index, Algorithm algorithm) {
        Clients clients = replay.clients();
        boolean isComplete = clients.hasAllRefused();
        double weight = isComplete ? 1 : clients.weight();
        List<Client> refused = (isComplete ? clients.retained().stream() : clients.sample())
                .filter(client -> client.refused(index, algorithm) > 0)
                .toList();
        long requests = refused.stream().mapToLong(client -> client.requests).sum();
        return new Refused(refused.size() * weight, requests * weight);
    }

    private Distribution distribution(int interval, List<long[]> busiest) {
        List<Long> limits = candidates.stream()
                .flatMap(candidate -> candidate.limits().stream())
                .filter(limit -> limit.interval().equals(intervals.get(interval)))
                .map(limit -> limit.max())
                .distinct()
                .sorted()
                .toList();
        long[] ascending =
                busiest.stream().mapToLong(client -> client[interval]).sorted().toArray();
        return Distribution.of(
                intervals.get(interval), ascending, replay.clients().weight(), limits);
    }
}
