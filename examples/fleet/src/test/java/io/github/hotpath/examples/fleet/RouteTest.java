package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One call after another, each of which is sent until it has an outcome. Time passes by calls alone. */
class RouteTest {
    private static final long MILLIS = 1_000_000;
    private static final long SILENCE = 500 * MILLIS;

    /** Between two sendings of a batch. */
    private static final long PAUSE = 20 * MILLIS;

    private static final byte[] OUTCOME = {1};

    /** What a member does with attempts. */
    private enum State {
        /** It has ended, and its host says so at once. */
        ENDED,
        /** Nothing comes back. */
        CUT_OFF,
        /** It answers that it knows no leader. */
        NO_LEADER,
        /** It makes the attempts, or passes them to the leader. */
        SERVES
    }

    private final List<State> states = new ArrayList<>();
    private final List<Integer> asked = new ArrayList<>();
    private int leader;
    private long nanos;

    private Route route(int members, int first) {
        List<Answer.From> from = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            int member = i;
            states.add(State.SERVES);
            from.add((attempts, pass) -> answer(member));
        }
        return new Route(from, first, Duration.ofNanos(SILENCE), () -> nanos);
    }

    private CompletableFuture<Answer> answer(int member) {
        asked.add(member);
        return switch (states.get(member)) {
            case ENDED -> CompletableFuture.failedFuture(new ConnectException("refused"));
            case CUT_OFF -> {
                nanos += SILENCE;
                yield CompletableFuture.failedFuture(new SocketTimeoutException("cut off"));
            }
            case NO_LEADER -> CompletableFuture.completedFuture(new Answer(RaftShare.NO_LEADER, null));
            case SERVES -> CompletableFuture.completedFuture(new Answer(leader, OUTCOME));
        };
    }

    private void set(State state, int... members) {
        for (int member : members) {
            states.set(member, state);
        }
    }

    /** Sends until there is an outcome, or {@code longest} is over, and returns how long it took. */
    private long send(Route route, long longest) {
        long start = nanos;
        while (nanos - start < longest && route.send(new byte[0]).join() == null) {
            nanos += PAUSE;
        }
        return nanos - start;
    }

    @Test
    void send_leaderOfManyMembersFails_findsTheNextOne() {
        for (int members : new int[] {3, 5, 7}) {
            states.clear();
            leader = 0;
            Route route = route(members, 0);
            for (int round = 0; round < 10; round++) {
                assertThat(send(route, 10 * SILENCE)).isZero();
                int failed = leader;
                for (int i = 0; i < members; i++) {
                    set(i == failed ? State.CUT_OFF : State.NO_LEADER, i);
                }
                send(route, 2 * SILENCE); // the election
                leader = (failed + 1) % members;
                for (int i = 0; i < members; i++) {
                    set(i == failed ? State.CUT_OFF : State.SERVES, i);
                }
                assertThat(send(route, 10 * SILENCE))
                        .as("members %s, round %s, asked %s", members, round, asked)
                        .isLessThanOrEqualTo(SILENCE + 2 * PAUSE);
                set(State.SERVES, failed);
                nanos += 20 * SILENCE;
            }
        }
    }

    /** The last one that was asked stays away, and there is no other that has not failed. */
    @Test
    void send_someComeBackAfterAllHadFailed_findsThem() {
        for (State failed : List.of(State.ENDED, State.CUT_OFF)) {
            for (int back = 0; back < 3; back++) {
                states.clear();
                Route route = route(3, 0);
                set(failed, 0, 1, 2);
                send(route, 3 * SILENCE);
                leader = back;
                set(State.SERVES, back, (back + 1) % 3);

                assertThat(send(route, 20 * SILENCE))
                        .as("%s, leader %s", failed, back)
                        .isLessThanOrEqualTo(2 * SILENCE + 2 * PAUSE);
            }
        }
    }

    /** As on a member that is cut off from all others, and whose own server answers. */
    @Test
    void send_onlyOneAnswersWithoutALeader_triesTheOthersSeldom() {
        Route route = route(3, 0);
        set(State.NO_LEADER, 0);
        set(State.CUT_OFF, 1, 2);
        send(route, 20 * SILENCE);
        assertThat(asked).filteredOn(member -> member == 0).hasSizeGreaterThan(asked.size() / 2);
        assertThat(asked).contains(1, 2);

        leader = 1;
        set(State.SERVES, 1, 2);
        assertThat(send(route, 10 * SILENCE)).isLessThanOrEqualTo(2 * SILENCE + 2 * PAUSE);
    }

    @Test
    void send_leaderIsNotReachedButAnotherIs_passesByThatOne() {
        leader = 2;
        Route route = route(3, 2);
        set(State.CUT_OFF, 2);
        assertThat(send(route, 10 * SILENCE)).isEqualTo(SILENCE + PAUSE);
        for (int call = 0; call < 100; call++) {
            assertThat(send(route, 10 * SILENCE)).isZero();
        }
        assertThat(asked).filteredOn(member -> member == 2).hasSize(1);

        nanos += 20 * SILENCE;
        set(State.SERVES, 2);
        send(route, SILENCE);
        asked.clear();
        send(route, SILENCE);
        assertThat(asked).containsExactly(2);
    }
}
