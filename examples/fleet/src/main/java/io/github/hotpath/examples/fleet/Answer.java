package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMembers.HostAndPort;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a member with data answers to attempts.
 *
 * @param leader the number of the leader, as far as it knows, or {@link RaftShare#NO_LEADER}
 * @param outcome what {@link FleetMachine} returns for them, or null if they may have been made or not
 */
record Answer(int leader, byte @Nullable [] outcome) {
    /** Where attempts are sent: to a member with data. */
    interface From {
        /** Sends attempts. The member passes them to the leader, if {@code pass} and if it is not the leader itself. */
        CompletableFuture<Answer> send(byte[] attempts, boolean pass);
    }

    byte[] toBytes() {
        byte[] content = outcome == null ? new byte[0] : outcome;
        return ByteBuffer.allocate(1 + content.length)
                .put((byte) leader)
                .put(content)
                .array();
    }

    static Answer of(byte[] bytes) {
        byte[] content = new byte[bytes.length - 1];
        System.arraycopy(bytes, 1, content, 0, content.length);
        return new Answer(bytes[0], content.length == 0 ? null : content);
    }

    /** Returns the delays, or null if the attempts are too old to be made or repeated. */
    static long @Nullable [] delays(byte[] outcome, int attempts) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(outcome);
        int size = in.getInt();
        if (size != -1 && size != attempts) {
            throw new StreamCorruptedException("outcomes: " + size + " (expected: " + attempts + ")");
        }
        long[] delays = new long[Math.max(0, size)];
        in.asLongBuffer().get(delays);
        return size == -1 ? null : delays;
    }

    /** Returns the address to which attempts are sent. */
    static HostAndPort address(HostAndPort member) {
        return new HostAndPort(member.host(), member.port() + 1);
    }
}
