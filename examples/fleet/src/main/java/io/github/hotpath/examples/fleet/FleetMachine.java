package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.DivisionInfo;
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
    /** The newest format of a request, an entry and a snapshot that this program reads. */
    static final int NEWEST_FORMAT = 1;

    private static final int STAMP = 2 * Long.BYTES;

    /** Ratis would try again after each entry. */
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Ratis goes on with its work for a moment after its machine has read a snapshot. */
    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Ratis answers nobody meanwhile. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Ratis may count a late part of an earlier snapshot for ever; but an entry is there a moment later. */
    private static final long LONGEST_DOUBT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final FleetClock clock;
    private final int newest;
    private final FleetLog log;

    /** The storage looks into its directory at each entry as long as there is none. */
    private volatile @Nullable SingleFileSnapshotInfo latestSnapshot;

    private volatile @Nullable String failure;
    private volatile @Nullable Committer committer;

    // Guarded by this.
    private FleetState state = new FleetState();
    private @Nullable Thread writer;
    private @Nullable Long failedAt;

    /** The last snapshot that Ratis knows of. */
    private long reported = RaftLog.INVALID_LOG_INDEX;

    /** A machine that reads formats up to {@code newest}. */
    FleetMachine(FleetClock clock, int newest, FleetLog log) {
        this.clock = clock;
        this.newest = newest;
        this.log = log;
    }

    /** Returns a request to make attempts, in that format; or if there are none, to use it from now on. */
    static byte[] request(int format, List<byte[]> attempts) {
        ByteBuffer out = ByteBuffer.allocate(1
                + Short.BYTES
                + attempts.stream().mapToInt(attempt -> attempt.length).sum());
        out.put((byte) format).putShort((short) attempts.size());
        attempts.forEach(out::put);
        return out.array();
    }

    private record Request(int format, List<List<Attempts.Request>> attempts) {
        static Request readFrom(DataInput in, int newest) throws IOException {
            int format = FleetState.readFormat(in, newest);
            List<List<Attempts.Request>> attempts = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                attempts.add(Attempts.read(in));
            }
            return new Request(format, attempts);
        }
    }

    /** What a request came to: the format in force, and the delays of its attempts. */
    record Outcome(int format, long[] delays) {
        /** It may have come to nothing, and its member repeats it. */
        static final Outcome NONE = new Outcome(0, new long[0]);

        static Outcome readFrom(ByteBuffer in) {
            Outcome outcome = new Outcome(in.get(), new long[Short.toUnsignedInt(in.getShort())]);
            Arrays.setAll(outcome.delays, i -> in.getLong());
            return outcome;
        }

        static Message toMessage(List<Outcome> outcomes) {
            ByteBuffer out = ByteBuffer.allocate(outcomes.stream()
                    .mapToInt(outcome -> 1 + Short.BYTES + Long.BYTES * outcome.delays.length)
                    .sum());
            for (Outcome outcome : outcomes) {
                out.put((byte) outcome.format).putShort((short) outcome.delays.length);
                Arrays.stream(outcome.delays).forEach(out::putLong);
            }
            return message(out);
        }
    }

    private static Message message(ByteBuffer content) {
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(content.array()));
    }

    /** What a member says of itself: the format in force, the newest that it reads, and its last entry. */
    record Answer(int format, int newest, long applied) {
        static Answer of(ByteString bytes) {
            ByteBuffer in = bytes.asReadOnlyByteBuffer();
            return new Answer(in.get(), in.get(), in.getLong());
        }
    }

    /** At each member: how far it is, if nothing else is asked. At the leader: what the requests of members come to. */
    @Override
    public CompletableFuture<Message> queryStale(Message request, long minIndex) {
        byte[] content = request.getContent().toByteArray();
        if (content.length == 0) {
            ByteBuffer out = ByteBuffer.allocate(2 + Long.BYTES);
            out.put((byte) (int) read(FleetState::format)).put((byte) newest).putLong(applied());
            return CompletableFuture.completedFuture(message(out));
        }
        if (!leads(division().getInfo())) {
            return CompletableFuture.completedFuture(Outcome.toMessage(List.of(Outcome.NONE)));
        }
        try {
            check(content);
        } catch (IOException e) {
            log.everyMinute(Level.WARNING, "a request is refused", e.getMessage());
            return CompletableFuture.failedFuture(new StateMachineException("request", e));
        }
        return requireNonNull(committer).add(content).thenApply(outcome -> Outcome.toMessage(List.of(outcome)));
    }

    /** Returns whether a member is the leader, and serves. */
    static boolean leads(DivisionInfo info) {
        return info.isLeader() && info.isLeaderReady();
    }

    private RaftServer.Division division() {
        try {
            return getServer().join().getDivision(getGroupId());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** At the leader: an entry is the time, and requests. What comes into the log has been checked. */
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext.Builder builder =
                TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
        if (!requireNonNull(committer).isOwn(request)) {
            IOException e = new IOException("entry: of " + request.getClientId() + " (expected: of this member)");
            return builder.setLogData(ByteString.EMPTY).build().setException(e);
        }
        ByteString content = request.getMessage().getContent();
        Stamp stamp = clock.stamp();
        ByteBuffer entry = ByteBuffer.allocate(STAMP + content.size());
        entry.putLong(stamp.term()).putLong(stamp.time());
        content.copyTo(entry);
        return builder.setLogData(UnsafeByteOperations.unsafeWrap(entry.array()))
                .build();
    }

    private void check(byte[] content) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        Request request = Request.readFrom(in, newest);
        int most = request.attempts.isEmpty() ? newest : Math.max(1, read(FleetState::format));
        if (request.format < 1 || request.format > most) {
            throw new StreamCorruptedException("format: " + request.format + " (expected: 1 to " + most + ")");
        }
        if (in.available() > 0) {
            throw new StreamCorruptedException("request: of " + content.length + " bytes (expected: less)");
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = requireNonNull(transaction.getLogEntry());
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        try {
            return CompletableFuture.completedFuture(
                    Outcome.toMessage(apply(entry.getTerm(), entry.getIndex(), bytes)));
        } catch (IOException e) {
            fail("entry " + entry.getIndex() + " of the log cannot be applied: " + e.getMessage(), e);
            throw new UncheckedIOException(e); // which ends the engine: to go on would be another state
        }
    }

    /** Applies an entry. If it was stamped in another term, or the group is not complete, no attempt is made. */
    synchronized List<Outcome> apply(long term, long index, byte[] entry) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry));
        Stamp stamp = new Stamp(in.readLong(), in.readLong());
        List<Outcome> outcomes = new ArrayList<>();
        while (in.available() > 0) {
            Request request = Request.readFrom(in, newest);
            Outcome outcome = Outcome.NONE;
            if (request.attempts.isEmpty()) {
                state.raiseFormat(request.format);
                log.info("the format is " + state.format());
                outcome = new Outcome(state.format(), new long[0]);
            } else if (stamp.term() == term && state.format() > 0) {
                outcome = new Outcome(state.format(), state.apply(clock.apply(stamp), request.attempts));
            }
            outcomes.add(outcome);
        }
        updateLastAppliedTermIndex(term, index);
        return outcomes;
    }

    private void fail(String message, Exception cause) {
        failure = message;
        log.error(message, cause);
    }

    /** Returns why this member cannot go on, or null. */
    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(server, group, raftStorage);
        committer = new Committer(server, group, log);
        getLifeCycle().startAndTransition(() -> {
            storage.init(raftStorage);
            load();
        });
    }

    private Path directory() {
        return requireNonNull(storage.getSnapshotFile(0, 0).toPath().getParent());
    }

    /**
     * Before a part of a snapshot of the leader is installed, while no other request of the leader can begin. Ratis relies
     * on the states of the life cycle.
     */
    @Override
    public void pause() {
        awaitEntries();
        synchronized (this) {
            if (getLifeCycleState() == LifeCycle.State.RUNNING) {
                getLifeCycle().transition(LifeCycle.State.PAUSING);
                getLifeCycle().transition(LifeCycle.State.PAUSED);
            }
        }
    }

    /**
     * Waits until the entries that have come are on disk, and what is committed has been applied, also by reading the
     * last snapshot that was installed. When a snapshot is installed, Ratis forgets what waits for the disk, and would
     * then wait for that before it writes another entry, for ever. It deletes the log, and ends if it reads that
     * meanwhile. And if it reads another snapshot meanwhile, it ends, or forgets this one.
     *
     * @throws IllegalStateException if that takes long; the leader sends the snapshot again
     */
    private void awaitEntries() {
        RaftServer.Division division = division();
        RaftLog entries = division.getRaftLog();
        DivisionInfo info = division.getInfo();
        long start = System.nanoTime();
        long lastWaited = start;
        boolean isCalm = getLifeCycleState() == LifeCycle.State.PAUSED; // this is a later part
        while (true) {
            long now = System.nanoTime();
            if (entries.getNextIndex() - 1 > entries.getFlushIndex()
                    || info.getLastAppliedIndex() < entries.getLastCommittedIndex()) {
                if (now - start > LONGEST_WAIT_NANOS) {
                    throw new IllegalStateException("entries are on their way to the disk, or are being applied");
                }
                lastWaited = now;
            } else if (unfinished(info) <= 1 && (isCalm || now - lastWaited > CALM_NANOS)
                    || now - lastWaited > LONGEST_DOUBT_NANOS) {
                return; // the snapshot is one
            }
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** Returns how many requests of the leader a follower has not finished. */
    static int unfinished(DivisionInfo info) {
        return info.getRoleInfoProto().getFollowerInfo().getOutstandingOp();
    }

    @Override
    public void reinitialize() throws IOException {
        awaitWriter();
        storage.loadLatestSnapshot();
        load();
    }

    private synchronized void load() throws IOException {
        SingleFileSnapshotInfo snapshot = storage.getLatestSnapshot();
        latestSnapshot = snapshot;
        if (snapshot == null) {
            return; // a new member
        }
        File file = snapshot.getFile().getPath().toFile();
        try {
            MD5FileUtil.verifySavedMD5(file, MD5FileUtil.computeMd5ForFile(file));
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(file.toPath())))) {
                long time = in.readLong();
                state = FleetState.readFrom(in, newest);
                clock.restore(time);
            }
        } catch (IOException e) {
            fail("snapshot " + file + " cannot be read: " + e.getMessage(), e);
            throw e;
        }
        reported = snapshot.getIndex();
        if (getLifeCycleState() == LifeCycle.State.PAUSED) { // in one step with the index, for which pause() may wait
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
        setLastAppliedTermIndex(TermIndex.valueOf(snapshot.getTerm(), snapshot.getIndex()));
        log.info("continues from the snapshot at entry " + reported + ", with " + state.keys() + " keys");
    }

    /**
     * Begins a snapshot, which a thread of its own writes. Returns the last one that is written, once: Ratis asks again
     * after each entry until there is one, and then deletes the log up to it.
     */
    @Override
    public synchronized long takeSnapshot() {
        SingleFileSnapshotInfo latest = latestSnapshot;
        if (latest != null && latest.getIndex() > reported) {
            reported = latest.getIndex();
            return reported;
        }
        TermIndex last = getLastAppliedTermIndex();
        Long failed = failedAt;
        boolean pauses = failed != null && System.nanoTime() - failed < PAUSE_AFTER_FAILURE_NANOS;
        if (writer == null && last.getIndex() >= 0 && last.getIndex() > reported && !pauses) {
            FleetState.Snapshot snapshot = state.snapshot();
            long time = clock.time();
            writer = new Thread(() -> write(snapshot, time, last), "fleet-snapshot");
            writer.setDaemon(true);
            writer.start();
        }
        return RaftLog.INVALID_LOG_INDEX;
    }

    private void write(FleetState.Snapshot snapshot, long time, TermIndex last) {
        long start = System.nanoTime();
        SingleFileSnapshotInfo written = null;
        try {
            written = writeFile(snapshot, time, last);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            log.info("snapshot at entry " + last.getIndex() + " took " + millis + " ms");
        } catch (IOException e) {
            log.error("snapshot at entry " + last.getIndex() + " failed; the log grows until one succeeds", e);
        }
        synchronized (this) {
            failedAt = written == null ? (Long) System.nanoTime() : null;
            writer = null;
            if (written != null) {
                latestSnapshot = written;
                storage.updateLatestSnapshot(written);
            }
        }
    }

    private SingleFileSnapshotInfo writeFile(FleetState.Snapshot snapshot, long time, TermIndex last)
            throws IOException {
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        Path temporary = directory().resolve("next.tmp"); // one that was killed leaves no other
        try {
            try (FileOutputStream bytes = new FileOutputStream(temporary.toFile());
                    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(bytes))) {
                out.writeLong(time);
                snapshot.writeTo(out, this);
                out.flush();
                bytes.getFD().sync(); // the log before it is deleted
            }
            MD5Hash md5 = MD5FileUtil.computeMd5ForFile(temporary.toFile());
            MD5FileUtil.saveMD5File(file, md5);
            Files.move(temporary, file.toPath(), StandardCopyOption.REPLACE_EXISTING);
            MemberDirectory.force(directory());
            return new SingleFileSnapshotInfo(new FileInfo(file.toPath(), md5), last.getTerm(), last.getIndex());
        } catch (IOException e) {
            Files.deleteIfExists(temporary); // it may be what fills the disk
            throw e;
        }
    }

    /** Waits until no snapshot is being written. */
    void awaitWriter() {
        Thread thread;
        synchronized (this) {
            thread = writer;
        }
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        Committer ending = committer;
        if (ending != null) {
            ending.close();
        }
        awaitWriter();
        super.close();
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
        log.info("term " + term + ", members: "
                + configuration.getPeersList().stream()
                        .map(peer -> peer.getAddress())
                        .sorted()
                        .toList());
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        log.info("the leader is " + leader);
    }

    @Override
    public void notifyFollowerSlowness(RoleInfoProto leader, RaftPeer follower) {
        log.everyMinute(Level.WARNING, "no answer of " + follower.getAddress(), "one failure more may stop the fleet");
    }

    @Override
    public void notifyExtendedNoLeader(RoleInfoProto role) {
        log.everyMinute(Level.WARNING, "no leader", "no majority of the members with data is connected");
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        failure = "the log cannot be written: " + cause;
        log.error(failure, cause);
    }

    /** Returns something of the state, between two entries. */
    synchronized <T> T read(Function<FleetState, T> question) {
        return question.apply(state);
    }

    FleetClock clock() {
        return clock;
    }

    /** Returns the last entry that has been applied. */
    long applied() {
        return getLastAppliedTermIndex().getIndex();
    }
}
