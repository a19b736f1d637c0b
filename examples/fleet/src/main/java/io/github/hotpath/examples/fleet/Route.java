package io.github.hotpath.examples.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * To which of the members with data attempts are sent: to the leader, if it can be reached, and otherwise to one that
 * passes them to it. Thread-safe.
 */
final class Route implements AutoCloseable {
    /** After a failure, how many silences a member is avoided, if there is another that has not failed. */
    private static final int AVOIDED = 10;

    /** If all have failed, how many silences one that has not answered waits until it is its turn again. */
    private static final int UNREACHABLE = 2;

    /** In how many silences there is an answer or a failure. */
    private static final int LONGEST = 4;

    private final List<? extends Answer.From> members;
    private final long silenceNanos;
    private final LongSupplier nanoTime;

    // Guarded by this.
    private final boolean[] failed;
    private final long[] failedAt;
    private final long[] nextTurn;
    private int preferred;

    /** Routes to those members; {@code first} is asked first. */
    Route(List<? extends Answer.From> members, int first, Duration silence, LongSupplier nanoTime) {
        this.members = List.copyOf(members);
        silenceNanos = silence.toNanos();
        this.nanoTime = nanoTime;
        failed = new boolean[members.size()];
        failedAt = new long[members.size()];
        nextTurn = new long[members.size()];
        preferred = first;
    }

    /** Sends attempts to the member that is expected to be best, and returns the outcome, or null. */
    CompletableFuture<byte @Nullable []> send(byte[] attempts) {
        int member = preferred();
        return members.get(member).send(attempts, true).handle((answer, failure) -> {
            if (failure == null && answer.outcome() != null) {
                succeeded(member, answer.leader());
                return answer.outcome();
            }
            if (failure == null) {
                failed(member, answer.leader(), 0);
            } else {
                failed(member, RaftShare.NO_LEADER, UNREACHABLE * silenceNanos);
            }
            return null;
        });
    }

    /** Returns after how many nanoseconds there is an answer or a failure, surely, unless memory has ended. */
    long longestNanos() {
        return LONGEST * silenceNanos;
    }

    private synchronized int preferred() {
        return preferred;
    }

    private synchronized void succeeded(int member, int leader) {
        failed[member] = false;
        if (isUsable(leader)) {
            preferred = leader;
        }
    }

    /** It has failed, or it does not know the leader, or it is not heard by it. */
    private synchronized void failed(int member, int leader, long waitNanos) {
        failed[member] = true;
        failedAt[member] = nanoTime.getAsLong();
        nextTurn[member] = failedAt[member] + waitNanos;
        if (member == preferred) {
            preferred = isUsable(leader) ? leader : next(member);
        }
    }

    /** The next one that has not failed, or else the one whose turn is first: none is left out for long. */
    private int next(int member) {
        int next = member;
        for (int i = 1; i < members.size(); i++) {
            int other = (member + i) % members.size();
            if (isUsable(other)) {
                return other;
            }
            next = nextTurn[other] - nextTurn[next] < 0 ? other : next;
        }
        return next;
    }

    private boolean isUsable(int member) {
        return member >= 0
                && member < members.size()
                && (!failed[member] || nanoTime.getAsLong() - failedAt[member] > AVOIDED * silenceNanos);
    }

    @Override
    public void close() {
        for (Answer.From member : members) {
            if (member instanceof Connection connection) {
                connection.close();
            }
        }
    }
}
