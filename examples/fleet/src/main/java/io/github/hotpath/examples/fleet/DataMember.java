package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The part of a member that has data. If it takes no part in the consensus for long, it starts again. Thread-safe. */
final class DataMember implements AutoCloseable {
    /*
     * In Ratis 3.2 and 3.3 a snapshot of the leader can come while entries before it are being written. Then the share
     * ends, or appends nothing any more. Started again, it continues from its directory, as a process that was killed.
     * A member that is cut off takes no part either, and starts again to no purpose, but seldom.
     */

    /** After so many times the silence it starts again: longer than an election takes. */
    private static final int PATIENCE = 8;

    private static final int LONGEST_PATIENCE = 16 * PATIENCE;

    private final FleetMembers members;
    private final int own;
    private final Path dir;
    private final Supplier<FleetClock> clocks;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fleet-watch");
        thread.setDaemon(true);
        return thread;
    });

    private volatile RaftShare share;

    // Of the watch alone.
    private int waited;
    private int patience = PATIENCE;

    /** Starts the member with that number, with its log in {@code dir}, and with a new clock at each start. */
    DataMember(FleetMembers members, int own, Path dir, Supplier<FleetClock> clocks) throws IOException {
        this.members = members;
        this.own = own;
        this.dir = dir;
        this.clocks = clocks;
        share = new RaftShare(members, own, dir, clocks.get());
        long silence = members.silence().toMillis();
        watch.scheduleWithFixedDelay(this::check, silence, silence, TimeUnit.MILLISECONDS);
    }

    private void check() {
        if (share.takesPart()) {
            waited = 0;
            patience = PATIENCE;
        } else if (++waited >= patience) {
            waited = 0;
            patience = Math.min(2 * patience, LONGEST_PATIENCE);
            try {
                restart();
            } catch (IOException | RuntimeException e) {
                waited = patience; // a port may not be free yet: the next time
            }
        }
    }

    private synchronized void restart() throws IOException {
        if (!watch.isShutdown()) {
            share.close();
            share = new RaftShare(members, own, dir, clocks.get());
        }
    }

    /** Returns the number of the leader, as far as this member knows, or {@link RaftShare#NO_LEADER}. */
    int leader() {
        return share.leader();
    }

    /** Returns the number of this member. */
    int own() {
        return own;
    }

    /** Returns its share in the consensus since it was last started. */
    RaftShare share() {
        return share;
    }

    FleetMachine machine() {
        return share.machine();
    }

    /**
     * Makes attempts, at the leader. The outcome comes after a majority has them in its log. If it fails, they may have
     * been made nevertheless.
     */
    CompletableFuture<byte[]> make(byte[] attempts) {
        return share.make(attempts);
    }

    @Override
    public synchronized void close() throws IOException {
        watch.shutdown();
        share.close();
    }
}
