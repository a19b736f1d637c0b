package io.github.hotpath.examples.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * To which of the members with data attempts are sent: to the leader, if it can be reached, and otherwise to one that
 * passes them to it. Thread-safe.
 */
final class Route implements AutoCloseable {
    /** After a failure, how many silences a member is avoided, if there is another. */
    private static final int AVOIDED = 10;

    private final List<? extends Answer.From> members;
    private final long avoidedNanos;

    // Guarded by this.
    private final long[] failedAt;
    private final boolean[] failed;
    private int preferred;

    /** Routes to those members; {@code first} is asked first. */
    Route(List<? extends Answer.From> members, int first, Duration silence) {
        this.members = List.copyOf(members);
        avoidedNanos = silence.multipliedBy(AVOIDED).toNanos();
        failedAt = new long[members.size()];
        failed = new boolean[members.size()];
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
            failed(member, failure == null ? answer.leader() : RaftShare.NO_LEADER);
            return null;
        });
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
    private synchronized void failed(int member, int leader) {
        failed[member] = true;
        failedAt[member] = System.nanoTime();
        if (member == preferred) {
            preferred = isUsable(leader) ? leader : next(member);
        }
    }

    private int next(int member) {
        int next = (member + 1) % members.size();
        for (int i = 1; i < members.size() && !isUsable(next); i++) {
            next = (next + 1) % members.size();
        }
        return next;
    }

    private boolean isUsable(int member) {
        return member >= 0
                && member < members.size()
                && (!failed[member] || System.nanoTime() - failedAt[member] > avoidedNanos);
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
