package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The part of a member that has data. If it takes no part in the consensus for long, it starts again. Thread-safe. */
final class DataMember implements AutoCloseable {
    /*
     * In Ratis 3.2 and 3.3 a snapshot of the leader can come while entries before it are being written. Then the share
     * ends, or appends nothing any more, as after a write to the disk that has failed. It answers the leader all the
     * same, so it is judged by what it applies. Started again, it continues from its directory, as a process that was
     * killed. A member that is cut off takes no part either, and starts again to no purpose, but seldom.
     *
     * To end a share may take for ever, if one of its threads hangs. Then no other can be started, but nothing else
     * waits for it.
     */

    /** After so many times the silence it starts again: longer than an election takes. */
    private static final int PATIENCE = 8;

    /** A snapshot has to come within one of these times, of which each is twice as long as the one before. */
    private static final int LONGEST_PATIENCE = 128 * PATIENCE;

    private static final int LONGEST_PATIENCE_ALONE = 16 * PATIENCE;

    private static final long LONGEST_CLOSE_SECONDS = 10;

    private final FleetMembers members;
    private final int own;
    private final Path dir;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "fleet-watch"));

    private final ReentrantLock lock = new ReentrantLock();

    private volatile RaftShare share;

    /** The end of the share, once it is wanted. Guarded by the lock. */
    private @Nullable CompletableFuture<Void> end;

    // Of the watch alone.
    private int waited;
    private int patience = PATIENCE;
    private int patienceAlone = PATIENCE;
    private boolean wasAlone;

    // Guarded by the lock.
    private long lastApplied = -1;
    private long lastCommitted = -1;

    /** Starts the member with that number, with its log in {@code dir}. */
    DataMember(FleetMembers members, int own, Path dir, FleetClock clock) throws IOException {
        this.members = members;
        this.own = own;
        this.dir = dir;
        RaftShare first = new RaftShare(members, own, dir, new FleetMachine(clock));
        share = first;
        long silence = members.silence().toMillis();
        try {
            watch.scheduleWithFixedDelay(this::check, silence, silence, TimeUnit.MILLISECONDS);
        } catch (Throwable e) { // threads have ended
            try (first) {
                throw e;
            }
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void check() {
        try {
            boolean alone = share.leader() == RaftShare.NO_LEADER;
            waited = alone == wasAlone ? waited : 0;
            wasAlone = alone;
            if (proceeds()) {
                waited = 0;
                patienceAlone = PATIENCE;
                patience = isUpToDate() ? PATIENCE : patience;
            } else if (++waited >= (alone ? patienceAlone : patience)) {
                restart();
                waited = 0;
                if (alone) {
                    patienceAlone = Math.min(2 * patienceAlone, LONGEST_PATIENCE_ALONE);
                } else {
                    patience = Math.min(2 * patience, LONGEST_PATIENCE);
                }
            }
        } catch (Throwable e) {
            // The old share has not ended, a port is not free yet, or memory or threads have ended: the next time.
        }
        if (watch.isShutdown()) { // perhaps the close did not wait for the lock
            lock.lock();
            try {
                end();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns whether the share has applied something since the last call, or knows the leader and has applied all that
     * there was then; or is busy with a snapshot. A leader is none to itself until it has applied the whole log.
     */
    boolean proceeds() {
        lock.lock();
        try {
            RaftShare now = share;
            long applied = now.applied();
            boolean proceeds = now.isOpen() && (applied > lastApplied || now.takesPart() && applied >= lastCommitted);
            lastApplied = applied;
            lastCommitted = now.committed();
            return end == null && (proceeds || now.machine().isAtSnapshot());
        } finally {
            lock.unlock();
        }
    }

    private void restart() throws Exception {
        lock.lock();
        try {
            if (!watch.isShutdown()) {
                end().handle((ended, failure) -> ended).get(members.silence().toMillis(), TimeUnit.MILLISECONDS);
                share = new RaftShare(members, own, dir, machine().restarted());
                end = null;
                lastApplied = share.applied();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the share, in another thread. Called with the lock. */
    private CompletableFuture<Void> end() {
        RaftShare ending = share;
        if (end == null) {
            end = CompletableFuture.runAsync(
                    () -> {
                        try {
                            ending.close();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    task -> daemon(task, "fleet-end").start());
        }
        return end;
    }

    /** Returns whether it has applied all that it has heard a majority to have, of the leader. */
    boolean isUpToDate() {
        return share.isUpToDate();
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
    public void close() throws IOException {
        watch.shutdown();
        try {
            if (!lock.tryLock() && !lock.tryLock(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("close: it is just being started again");
            }
            try {
                end().get(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("close: interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("close: " + e, e);
        }
    }
}
