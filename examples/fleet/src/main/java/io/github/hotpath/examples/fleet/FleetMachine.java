package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** The state and the clock of a member, as Ratis drives them: by entries of the log, in snapshots, and at its start. */
final class FleetMachine extends BaseStateMachine {
    private static final int STAMP = 3 * Long.BYTES;
    private static final String TEMPORARY = ".tmp";

    /** Ratis would try again after each entry. */
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    /** The storage looks into its directory at each entry as long as there is none. */
    private volatile @Nullable SingleFileSnapshotInfo latestSnapshot;

    /** When a snapshot could not be written, if the last one could not. */
    private @Nullable Long failedAt;

    /** Whether a snapshot is being written or read. Nothing is applied meanwhile. */
    private volatile boolean isAtSnapshot;

    private final FleetClock clock;
    private FleetState state = new FleetState();

    /** The last entry that was in the log when this process started, once it is known. */
    private volatile @Nullable TermIndex lastAtStart;

    FleetMachine(FleetClock clock) {
        this.clock = clock;
    }

    FleetClock clock() {
        return clock;
    }

    /** Tells which entries were in the log when the engine started: those up to that one. */
    void startsAfter(TermIndex last) {
        if (lastAtStart == null) {
            lastAtStart = last;
        }
    }

    private boolean isOfBeforeTheStart(TermIndex entry) {
        TermIndex last = lastAtStart;
        return last == null || entry.compareTo(last) <= 0;
    }

    /** Returns a new one, for an engine that is started again in this process. */
    FleetMachine restarted() {
        FleetMachine next = new FleetMachine(clock.restarted());
        next.lastAtStart = lastAtStart;
        return next;
    }

    /** Returns an entry of the log: the time of the leader, and the attempts of some members. */
    static byte[] entry(Stamp stamp, List<byte[]> batches) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(STAMP + 4 + 256 * batches.size());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(stamp.term());
            out.writeLong(stamp.time());
            out.writeLong(stamp.wall());
            out.writeInt(batches.size());
            for (byte[] batch : batches) {
                out.writeInt(batch.length);
                out.write(batch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(server, group, raftStorage);
        getLifeCycle().startAndTransition(() -> {
            storage.init(raftStorage);
            deleteTemporary(directory());
            load(true);
        });
    }

    private Path directory() {
        return storage.getSnapshotFile(0, 0).toPath().getParent();
    }

    /** What was left by a process that was killed. */
    private static void deleteTemporary(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + TEMPORARY)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /** Before a snapshot of the leader is installed. Ratis relies on the states of the life cycle. */
    @Override
    public synchronized void pause() {
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    @Override
    public synchronized void reinitialize() throws IOException {
        storage.loadLatestSnapshot();
        load(false);
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    private synchronized void load(boolean atStart) throws IOException {
        SingleFileSnapshotInfo snapshot = storage.getLatestSnapshot();
        latestSnapshot = snapshot;
        if (snapshot == null) {
            return; // a new member
        }
        Path file = snapshot.getFile().getPath();
        isAtSnapshot = true;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            long time = in.readLong();
            long wall = in.readLong();
            state = FleetState.readFrom(in);
            clock.restore(time, wall, atStart);
        } finally {
            isAtSnapshot = false;
        }
        setLastAppliedTermIndex(TermIndex.valueOf(snapshot.getTerm(), snapshot.getIndex()));
    }

    @Override
    public synchronized long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        Long failure = failedAt;
        boolean pauses = failure != null && System.nanoTime() - failure < PAUSE_AFTER_FAILURE_NANOS;
        if (last == null || last.getIndex() < 0 || pauses) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        failedAt = System.nanoTime();
        isAtSnapshot = true;
        try {
            writeSnapshot(last);
        } finally {
            isAtSnapshot = false;
        }
        failedAt = null;
        return last.getIndex();
    }

    private void writeSnapshot(TermIndex last) throws IOException {
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        File temporary = new File(file.getPath() + TEMPORARY);
        MD5Hash md5;
        try {
            write(temporary);
            md5 = MD5FileUtil.computeMd5ForFile(temporary);
            MD5FileUtil.saveMD5File(file, md5);
            Files.move(temporary.toPath(), file.toPath(), StandardCopyOption.REPLACE_EXISTING);
        } catch (Throwable e) {
            temporary.delete(); // it may be what fills the disk
            throw e;
        }
        force(directory());
        latestSnapshot = new SingleFileSnapshotInfo(new FileInfo(file.toPath(), md5), last.getTerm(), last.getIndex());
        storage.updateLatestSnapshot(latestSnapshot);
    }

    private void write(File file) throws IOException {
        try (FileOutputStream bytes = new FileOutputStream(file);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(bytes))) {
            Stamp stamp = clock.last();
            out.writeLong(stamp.time());
            out.writeLong(stamp.wall());
            state.writeTo(out);
            out.flush();
            bytes.getFD().sync(); // the log before it is deleted
        }
    }

    /** The new name before the log is deleted. */
    private static void force(Path directory) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(directory, StandardOpenOption.READ);
        } catch (AccessDeniedException e) {
            return; // Windows opens no directory
        }
        try (channel) {
            channel.force(true);
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
        return latestSnapshot;
    }

    /** The first entry of each term is one of these. Only after it does its leader accept attempts. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        clock.begin(term);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        byte[] outcome = apply(entry.getTerm(), entry.getIndex(), bytes);
        ByteString content = UnsafeByteOperations.unsafeWrap(outcome);
        return CompletableFuture.completedFuture(Message.valueOf(content));
    }

    /**
     * Returns for each batch how many attempts it has, or -1 if it was forgotten, and the delay of each. Returns
     * nothing, having made none, if the entry was stamped in another term.
     */
    synchronized byte[] apply(long term, long index, byte[] entry) {
        ByteArrayOutputStream outcome = new ByteArrayOutputStream();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry));
                DataOutputStream out = new DataOutputStream(outcome)) {
            Stamp stamp = new Stamp(in.readLong(), in.readLong(), in.readLong());
            if (stamp.term() == term) {
                long nanos = clock.apply(stamp, isOfBeforeTheStart(TermIndex.valueOf(term, index)));
                for (int left = in.readInt(); left > 0; left--) {
                    write(out, state.apply(nanos, Attempts.of(in.readNBytes(in.readInt()))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // only attempts that can be read come into the log
        }
        updateLastAppliedTermIndex(term, index);
        return outcome.toByteArray();
    }

    private static void write(DataOutputStream out, long @Nullable [] delays) throws IOException {
        out.writeInt(delays == null ? -1 : delays.length);
        if (delays != null) {
            for (long delay : delays) {
                out.writeLong(delay);
            }
        }
    }

    /** Returns whether it applies nothing now because it writes or reads a snapshot, which may take long. */
    boolean isAtSnapshot() {
        return isAtSnapshot;
    }

    /** Returns something of the state, between two entries. */
    synchronized <T> T read(Function<FleetState, T> question) {
        return question.apply(state);
    }
}
