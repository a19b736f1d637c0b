package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.Attempts.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of this member on their way. Those of several threads travel together; each batch is sent again, to one
 * member after another, until it is answered or its time is over. Thread-safe.
 */
final class Outbox implements AutoCloseable {
    /*
     * A batch has a number in the session of this member, by which the fleet recognizes a repetition. It stays open
     * after its time is over, for as long as its attempts may be repeated. With each batch the fleet is told which ones
     * are open, and forgets the outcomes of the others. A session that was not used for some time is not continued,
     * since the fleet forgets it, too, and would take its first batch for a new one. For the same reason no batch is
     * sent for longer. Nor is a session continued that the fleet turns out to have forgotten, or never to have known
     * from its beginning: it would answer no batch of it.
     */

    /** How long an attempt with an unknown outcome can be repeated. */
    static final Duration REPEATABLE = Duration.ofMinutes(1);

    /** How long a session is continued, and a batch sent: half as long as the fleet remembers it. */
    static final Duration SESSION = FleetState.SESSION.dividedBy(2);

    /** A batch that is on its way for so long after its time has lost its answer, because memory had ended. */
    private static final Duration LOST = Duration.ofSeconds(10);

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /**
     * While so many are on their way, attempts wait for the next one. With a single one, two callers of this member
     * would wait for each other. A batch that is repeated does not wait, but counts.
     */
    private static final int BATCHES_ON_THE_WAY = 4;

    private static final int MOST_IN_A_BATCH = 1_000;

    /** One attempt may take more. */
    private static final int MOST_BYTES = 1 << 18;

    private static final int MOST_OPEN = 1_000;
    private static final long PAUSE_MILLIS = 20;

    private final Route route;
    private final long timeoutNanos;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService timer;

    // Guarded by this.
    private final Deque<Attempt> waiting = new ArrayDeque<>();
    private final TreeMap<Long, Batch> open = new TreeMap<>();
    private UUID session = UUID.randomUUID();
    private long last;
    private long lastUsed;
    private final ArrayList<Batch> onTheWay = new ArrayList<>();
    private long lookedAt;

    /** Sends by that route; an attempt is sent for {@code timeout}, and again for as long if it is repeated. */
    Outbox(Route route, Duration timeout, LongSupplier nanoTime) {
        this.route = route;
        timeoutNanos = timeout.toNanos();
        this.nanoTime = nanoTime;
        lastUsed = nanoTime.getAsLong();
        lookedAt = lastUsed;
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "fleet-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.prestartCoreThread(); // there may be no thread any more when it is needed
        timer = executor;
    }

    /** An attempt: all or nothing. */
    static final class Attempt {
        private final List<Request> requests;
        private final int mostBytes;
        private final CompletableFuture<Long> delay = new CompletableFuture<>();

        /** Whether it waits for a batch. Guarded by the outbox. */
        private boolean waits;

        /** The batch in which it travels. Guarded by the outbox. */
        private @Nullable Batch batch;

        Attempt(List<Request> requests) {
            this.requests = requests;
            mostBytes = Attempts.mostBytes(requests);
        }

        List<Request> requests() {
            return requests;
        }

        /** Its delay, when it is known. */
        CompletableFuture<Long> delay() {
            return delay;
        }
    }

    private static final class Batch {
        private final UUID session;
        private final long number;
        private final List<Attempt> attempts;
        private final byte[] bytes;
        private final long madeAt;
        private long deadline;

        Batch(UUID session, long number, List<Attempt> attempts, byte[] bytes, long madeAt) {
            this.session = session;
            this.number = number;
            this.attempts = attempts;
            this.bytes = bytes;
            this.madeAt = madeAt;
        }
    }

    /** Sends an attempt, or sends it again. After an error, one that was not sent before is not sent any more. */
    void send(Attempt attempt) {
        List<Batch> batches;
        try {
            batches = next(attempt);
        } catch (Throwable e) { // memory may end
            giveUp(attempt);
            throw e;
        }
        dispatch(batches);
    }

    private synchronized List<Batch> next(Attempt attempt) {
        Batch batch = attempt.batch;
        if (batch == null) {
            if (!attempt.waits) {
                waiting.add(attempt);
                attempt.waits = true;
            }
            return takeWaiting();
        }
        if (!attempt.delay.isDone() && open.get(batch.number) == batch) {
            long now = nanoTime.getAsLong();
            batch.deadline = now + Math.min(timeoutNanos, batch.madeAt + SESSION.toNanos() - now);
            if (!onTheWay.contains(batch)) {
                onTheWay.add(batch);
                return List.of(batch);
            }
        }
        return List.of();
    }

    /** Returns whether an attempt can be sent again, or its outcome has come meanwhile. */
    synchronized boolean isRepeatable(Attempt attempt) {
        Batch batch = attempt.batch;
        if (batch == null || attempt.delay.isDone() && !attempt.delay.isCompletedExceptionally()) {
            return true;
        }
        long now = nanoTime.getAsLong();
        return open.get(batch.number) == batch
                && now - batch.deadline <= REPEATABLE.toNanos()
                && now - batch.madeAt < SESSION.toNanos();
    }

    /** Takes back an attempt that has not been sent. */
    synchronized void giveUp(Attempt attempt) {
        if (attempt.waits) {
            waiting.remove(attempt);
            attempt.waits = false;
        }
    }

    /** Returns what can be sent now. Called with the lock; it is sent without, since that may take some time. */
    private List<Batch> takeWaiting() {
        if (onTheWay.size() >= BATCHES_ON_THE_WAY) {
            forgetLost();
        }
        List<Batch> batches = new ArrayList<>(BATCHES_ON_THE_WAY);
        while (onTheWay.size() < BATCHES_ON_THE_WAY && !waiting.isEmpty()) {
            Batch batch;
            try {
                batch = take();
            } catch (Throwable e) { // memory may end: what has been taken must be sent
                if (batches.isEmpty()) {
                    throw e;
                }
                return batches;
            }
            batches.add(batch);
        }
        return batches;
    }

    /** Otherwise they would be in the way of others for ever. */
    private void forgetLost() {
        long now = nanoTime.getAsLong();
        if (now - lookedAt >= BETWEEN_LOOKS.toNanos()) {
            lookedAt = now;
            onTheWay.removeIf(batch -> now - batch.deadline > LOST.toNanos());
        }
    }

    private void dispatch(List<Batch> batches) {
        for (int i = 0; i < batches.size(); i++) {
            dispatch(batches.get(i));
        }
    }

    private Batch take() {
        long now = nanoTime.getAsLong();
        if (now - lastUsed >= SESSION.toNanos()) {
            beginSession();
        }
        lastUsed = now;
        forgetOld(now);
        List<Attempt> attempts = nextAttempts();
        long number = last + 1;
        Attempts content = new Attempts(
                session,
                number,
                List.copyOf(open.keySet()),
                attempts.stream().map(Attempt::requests).toList());
        Batch batch = new Batch(session, number, attempts, content.toBytes(), now);
        batch.deadline = now + timeoutNanos;
        onTheWay.ensureCapacity(onTheWay.size() + 1);
        open.put(number, batch); // from here on, nothing needs memory
        onTheWay.add(batch);
        last = number;
        for (int i = 0; i < attempts.size(); i++) {
            Attempt attempt = waiting.remove();
            attempt.waits = false;
            attempt.batch = batch;
        }
        return batch;
    }

    private List<Attempt> nextAttempts() {
        List<Attempt> attempts = new ArrayList<>();
        int bytes = 0;
        for (Attempt attempt : waiting) {
            bytes += attempt.mostBytes;
            if (attempts.size() == MOST_IN_A_BATCH || bytes > MOST_BYTES && !attempts.isEmpty()) {
                break;
            }
            attempts.add(attempt);
        }
        return attempts;
    }

    private void beginSession() {
        session = UUID.randomUUID();
        last = 0;
        open.clear();
    }

    private void forgetOld(long now) {
        Iterator<Batch> oldest = open.values().iterator();
        while (oldest.hasNext()) {
            Batch batch = oldest.next();
            boolean old = now - batch.deadline > REPEATABLE.toNanos() || open.size() > MOST_OPEN;
            if (old && !onTheWay.contains(batch)) {
                oldest.remove();
            }
        }
    }

    private void dispatch(Batch batch) {
        try {
            route.send(batch.bytes).whenComplete((outcome, failure) -> {
                if (outcome != null) {
                    complete(batch, outcome);
                } else {
                    again(batch);
                }
            });
        } catch (Throwable e) { // memory may end: a batch that is on its way for ever would be in the way of others
            again(batch);
        }
    }

    private void complete(Batch batch, byte[] outcome) {
        long @Nullable [] delays;
        try {
            delays = Answer.delays(outcome, batch.attempts.size());
        } catch (Throwable e) { // no outcome of these attempts, or memory has ended
            again(batch);
            return;
        }
        try {
            dispatch(next(batch, delays == null));
        } finally {
            complete(batch.attempts, delays);
        }
    }

    private synchronized List<Batch> next(Batch answered, boolean isForgotten) {
        onTheWay.remove(answered); // first: the rest may need memory
        open.remove(answered.number, answered);
        if (isForgotten && answered.session.equals(session)) {
            beginSession();
        }
        return takeWaitingIfPossible();
    }

    private static void complete(List<Attempt> attempts, long @Nullable [] delays) {
        for (int i = 0; i < attempts.size(); i++) {
            CompletableFuture<Long> delay = attempts.get(i).delay;
            if (delays == null) {
                delay.completeExceptionally(new TimeoutException("its session was forgotten"));
            } else {
                delay.complete(delays[i]);
            }
        }
    }

    private List<Batch> takeWaitingIfPossible() {
        try {
            return takeWaiting();
        } catch (Throwable e) { // memory may end: those that wait are sent with the next call
            return List.of();
        }
    }

    private void again(Batch batch) {
        dispatch(nextUnlessSentAgain(batch));
    }

    private synchronized List<Batch> nextUnlessSentAgain(Batch batch) {
        if (!isOver(batch)) {
            return List.of();
        }
        onTheWay.remove(batch);
        return takeWaitingIfPossible();
    }

    /** Returns whether it is not sent again. Otherwise it will be after a pause. */
    private boolean isOver(Batch batch) {
        if (nanoTime.getAsLong() - batch.deadline >= 0) {
            return true;
        }
        try {
            timer.schedule(() -> dispatch(batch), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return false;
        } catch (Throwable e) { // closed, or memory has ended
            return true;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        route.close();
    }
}
