package io.github.hotpath.examples.replay;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a log says of candidates.
 *
 * @param log what was read
 * @param replay the totals and the numbers per minute
 * @param clients how many there are, perhaps estimated
 * @param isEstimated whether there were more clients than are retained
 * @param candidates in the order in which they were given
 * @param distributions one for each interval
 * @param intervals whose busiest one was found for each client
 * @param share of the clients that may be refused, if limits were to be suggested
 * @param suggestion null if none was asked for
 */
record Result(
        ReadLog log,
        Replay replay,
        double clients,
        boolean isEstimated,
        List<CandidateResult> candidates,
        List<Distribution> distributions,
        List<Duration> intervals,
        double share,
        @Nullable Suggestion suggestion) {

    /**
     * What was done with a candidate.
     *
     * @param refusals of all clients
     * @param refused by algorithm, in the order of {@link Algorithm}
     * @param top the clients that are refused most, with the most refusals first
     */
    record CandidateResult(
            Candidate candidate, int index, Refusals refusals, List<Refused> refused, List<Client> top) {}

    /**
     * The clients that are refused at all.
     *
     * @param requests theirs, refused or not
     */
    record Refused(double clients, double requests) {}
}
