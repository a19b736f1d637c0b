package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Attempts of this member that travel together, with a number in a {@link Session}. */
final class Batch {
    private final UUID session;
    private final long number;
    private final List<Attempt> attempts;
    private final byte[] bytes;
    private final long madeAt;

    /** Until when it is sent. Guarded by the outbox. */
    long deadline;

    /** When it was sent last. */
    volatile long sentAt;

    /** Its outcome, when it is known. Guarded by the outbox. */
    long @Nullable [] delays;

    Batch(UUID session, long number, List<Attempt> attempts, byte[] bytes, long madeAt) {
        this.session = session;
        this.number = number;
        this.attempts = attempts;
        this.bytes = bytes;
        this.madeAt = madeAt;
        sentAt = madeAt;
    }

    UUID session() {
        return session;
    }

    long number() {
        return number;
    }

    List<Attempt> attempts() {
        return attempts;
    }

    byte[] bytes() {
        return bytes;
    }

    long madeAt() {
        return madeAt;
    }

    /** Reads the delays from an outcome, or null if the fleet has forgotten the session. */
    long @Nullable [] delays(byte[] outcome) throws IOException {
        return Answer.delays(outcome, attempts.size());
    }

    /** Tells the callers the delays, or that there are none. */
    void complete(long @Nullable [] delays) {
        for (int i = 0; i < attempts.size(); i++) {
            if (delays == null) {
                attempts.get(i).delay().completeExceptionally(new TimeoutException("its session was forgotten"));
            } else {
                attempts.get(i).delay().complete(delays[i]);
            }
        }
    }
}
