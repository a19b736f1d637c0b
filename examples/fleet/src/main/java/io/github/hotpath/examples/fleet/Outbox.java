package io.github.hotpath.examples.fleet;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of this member on their way. Those of several threads travel together; each batch is sent again, to one
 * member after another, until it is answered or its time is over. Thread-safe.
 */
final class Outbox implements AutoCloseable {
    /** A batch without an answer since it was sent so long ago, or longer, has lost it, because memory had ended. */
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

    private static final long PAUSE_MILLIS = 20;

    private final Route route;
    private final long timeoutNanos;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService timer;

    // Guarded by this.
    private final Session session;
    private final Deque<Attempt> waiting = new ArrayDeque<>();
    private final ArrayList<Batch> onTheWay = new ArrayList<>();
    private long lookedAt;

    /** Sends by that route; an attempt is sent for {@code timeout}, and again for as long if it is repeated. */
    Outbox(Route route, Duration timeout, LongSupplier nanoTime) {
        this.route = route;
        timeoutNanos = timeout.toNanos();
        this.nanoTime = nanoTime;
        lookedAt = nanoTime.getAsLong();
        session = new Session(lookedAt);
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
        if (batch.delays != null) {
            batch.complete(batch.delays); // memory may have ended when it came
        }
        if (!session.isOpen(batch)) {
            return List.of();
        }
        long now = nanoTime.getAsLong();
        batch.deadline = now + Math.min(timeoutNanos, batch.madeAt() + Session.LONGEST.toNanos() - now);
        if (isLost(batch, now)) {
            onTheWay.remove(batch);
        }
        if (onTheWay.contains(batch)) {
            return List.of();
        }
        onTheWay.add(batch);
        batch.sentAt = now;
        return List.of(batch);
    }

    /** Returns whether an attempt can be sent again, or its outcome has come meanwhile. */
    synchronized boolean isRepeatable(Attempt attempt) {
        Batch batch = attempt.batch;
        return batch == null || batch.delays != null || session.isRepeatable(batch, nanoTime.getAsLong());
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
            onTheWay.removeIf(batch -> isLost(batch, now));
        }
    }

    private boolean isLost(Batch batch, long now) {
        return now - batch.sentAt > Math.max(LOST.toNanos(), route.longestNanos());
    }

    private void dispatch(List<Batch> batches) {
        for (int i = 0; i < batches.size(); i++) {
            dispatch(batches.get(i));
        }
    }

    private Batch take() {
        long now = nanoTime.getAsLong();
        List<Attempt> attempts = nextAttempts();
        onTheWay.ensureCapacity(onTheWay.size() + 1);
        Batch batch = session.next(now, attempts, onTheWay::contains); // from here on, nothing needs memory
        batch.deadline = now + timeoutNanos;
        onTheWay.add(batch);
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
            bytes += attempt.mostBytes();
            if (attempts.size() == MOST_IN_A_BATCH || bytes > MOST_BYTES && !attempts.isEmpty()) {
                break;
            }
            attempts.add(attempt);
        }
        return attempts;
    }

    private void dispatch(Batch batch) {
        batch.sentAt = nanoTime.getAsLong();
        try {
            route.send(batch.bytes()).whenComplete((outcome, failure) -> {
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
            delays = batch.delays(outcome);
        } catch (Throwable e) { // no outcome of these attempts, or memory has ended
            again(batch);
            return;
        }
        try {
            dispatch(next(batch, delays));
        } finally {
            batch.complete(delays);
        }
    }

    private synchronized List<Batch> next(Batch answered, long @Nullable [] delays) {
        onTheWay.remove(answered); // first: the rest may need memory
        session.answered(answered, delays);
        return takeWaitingIfPossible();
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
        return !isOver(batch) && isSentAgain(batch) ? List.of() : end(batch);
    }

    private boolean isOver(Batch batch) {
        return batch.delays != null || nanoTime.getAsLong() - batch.deadline >= 0;
    }

    /** Returns whether it will be sent again, after a pause. */
    private boolean isSentAgain(Batch batch) {
        try {
            timer.schedule(() -> dispatch(batchUnlessOver(batch)), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (Throwable e) { // closed, or memory has ended
            return false;
        }
    }

    /** After a pause in which this process may have been stopped for hours. */
    private synchronized List<Batch> batchUnlessOver(Batch batch) {
        return isOver(batch) ? end(batch) : List.of(batch);
    }

    private List<Batch> end(Batch batch) {
        onTheWay.remove(batch);
        return takeWaitingIfPossible();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        route.close();
    }
}
