package io.github.hotpath.examples.postgresql;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Limits of all processes that share a PostgreSQL: together they never acquire more permits of a key than its limit in
 * any time span of its interval. The time is the database's. A permit counts for its interval and up to a thousandth
 * longer, at least a microsecond. All processes pass the same limit for a key: a new maximum applies at once, a longer
 * interval once it has passed.
 *
 * <p>A process has one connection and one daemon thread: attempts that arrive during a transaction share the next.
 * Thread-safe.
 */
@SuppressWarnings("serial") // its exceptions have no serialVersionUID: nobody stores them
public final class PostgresLimits implements AutoCloseable {
    /** Creates the table. A row takes some 3 KB at most, whatever the limit. */
    public static final String TABLE = """
            CREATE TABLE hotpath_limit (
                key text COLLATE "C" PRIMARY KEY,
                state bytea NOT NULL, -- by SlidingWindowLimiter.writeTo; empty before the first grant
                expires bigint NOT NULL -- in seconds, when nothing counts any more
            );
            CREATE INDEX ON hotpath_limit (expires);
            """;

    /** Deletes up to a thousand rows in which nothing counts any more. A scheduler runs it, such as once a minute. */
    public static final String DELETE_IDLE = """
            DELETE FROM hotpath_limit WHERE key IN (
                SELECT key FROM hotpath_limit WHERE expires < extract(epoch FROM clock_timestamp())::bigint
                ORDER BY key LIMIT 1000 FOR UPDATE SKIP LOCKED)""";

    /** Of each session, with half the timeout: a process that is paused with locks, and a wait for one, end before. */
    private static final String SETTINGS = """
            SET synchronous_commit TO off; SET client_min_messages TO warning;
            SET lock_timeout TO %1$d; SET idle_in_transaction_session_timeout TO %1$d""";

    /** Locks the rows in the order of the keys, against deadlocks, and reads the clock after each lock. */
    private static final String LOCK = """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            WITH locked AS MATERIALIZED (
                SELECT key, state FROM hotpath_limit WHERE key = ANY (?) ORDER BY key FOR UPDATE)
            SELECT key, state, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM locked""";

    /** In a transaction of its own, since all locks are acquired in the order of the keys. */
    private static final String INSERT = """
            ROLLBACK;
            INSERT INTO hotpath_limit SELECT key, '', extract(epoch FROM clock_timestamp())::bigint + 60
            FROM unnest(?) AS key ORDER BY key ON CONFLICT DO NOTHING""";

    /**
     * Commits without waiting, so that the locks are released before disks and standby are waited for: up to a record
     * that follows the commit in the log. The same session has to write it: another one might be at another server.
     */
    private static final String UPDATE = """
            UPDATE hotpath_limit AS l SET state = n.state, expires = n.expires
            FROM unnest(?, ?, ?) AS n (key, state, expires) WHERE l.key = n.key;
            COMMIT; SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, '', '')""";

    private static final int MOST = 1_000; // attempts in a transaction
    private static final int MOST_REFUSALS = 65_536;
    private static final long KNOWN = Duration.ofSeconds(1).toNanos(); // so that a deleted row is noticed soon
    private static final long TOLERANCE = Duration.ofMillis(100).toNanos(); // of a clock that goes ahead

    private final PGSimpleDataSource database;
    private final long timeoutNanos;
    private final int timeoutSeconds;
    private final LongSupplier nanoTime;
    private final BlockingQueue<Attempt> waiting = new LinkedBlockingQueue<>();
    private final Map<Request, Refusal> refusals = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::serve, "limits on PostgreSQL");
    private volatile boolean closed;
    private volatile @Nullable Connection connection;

    // Of the thread alone.
    private long time; // of the database, when it was read last
    private long nanos; // of this machine, just after that
    private long ahead = 1L << 62; // time is ahead of nanos by at most so much
    private long jumped; // the nanos when time was found to have gone ahead

    private record Request(Map<String, Limit> limits, int permits) {}

    private record Refusal(long start, long delay) {}

    private static final class Attempt extends CompletableFuture<Long> {
        final Request request;
        long delay;

        Attempt(Request request) {
            this.request = request;
        }
    }

    /** No permits were acquired. */
    public static final class NotAcquiredException extends RuntimeException {
        NotAcquiredException(Attempt attempt, Throwable cause) {
            super(
                    "keys: " + attempt.request.limits.keySet() + " (expected: a database that can grant): " + cause,
                    cause);
        }
    }

    /** The permits may have been acquired, once. */
    public static final class OutcomeUnknownException extends RuntimeException {
        OutcomeUnknownException(Attempt attempt, Throwable cause) {
            super("keys: " + attempt.request.limits.keySet() + " (expected: an answer): " + cause, cause);
        }
    }

    /**
     * Creates the limits at a database, to which it connects with the first attempt.
     *
     * @param database with user and password. TLS is an option of its URL, as are several hosts with
     *     {@code targetServerType=primary}. No pooler such as PgBouncer is in between. This sets its timeouts
     * @param timeout after which a call throws that has no answer, from 1 ms to 1 min; the database ends a transaction
     *     that waits, or is waited for, for half as long
     * @throws IllegalArgumentException if {@code timeout} is out of its range
     */
    public PostgresLimits(PGSimpleDataSource database, Duration timeout) {
        this(database, timeout, System::nanoTime);
    }

    PostgresLimits(PGSimpleDataSource database, Duration timeout, LongSupplier nanoTime) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: from 1 ms to 1 min)");
        }
        timeoutNanos = timeout.toNanos();
        timeoutSeconds = (int) timeout.plusMillis(999).toSeconds();
        this.database = database;
        database.setConnectTimeout(timeoutSeconds);
        database.setSocketTimeout(2 * timeoutSeconds); // a wait for the standby is cancelled before
        database.setCancelSignalTimeout(timeoutSeconds);
        database.setLoginTimeout(2 * timeoutSeconds * database.getServerNames().length);
        this.nanoTime = nanoTime;
        nanos = nanoTime.getAsLong();
        jumped = nanos - (1L << 62);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Acquires permits of every key, or changes nothing. This process repeats a refusal without asking the database
     * until it ends, for at most a second.
     *
     * @param limits of each key; none grants everything
     * @param permits at least 1
     * @return 0 if acquired, otherwise for how many nanoseconds such an attempt is refused; {@link Long#MAX_VALUE} if
     *     it always is
     * @throws IllegalArgumentException if {@code permits} is less than 1, or if a key has more than 500 characters, a 0
     *     or half a surrogate pair
     * @throws NotAcquiredException if the database cannot grant; or if its clock went ahead within the interval of a
     *     key by over 0.1 s and a thousandth, because what was granted before that expires too early
     * @throws OutcomeUnknownException if there is no answer; the attempt is not repeated
     */
    public long tryAcquireOrDelay(Map<String, Limit> limits, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        limits.keySet().forEach(PostgresLimits::check);
        if (limits.isEmpty()) {
            return 0;
        }
        Attempt attempt = new Attempt(new Request(Map.copyOf(limits), permits));
        long start = nanoTime.getAsLong();
        Refusal refusal = refusals.get(attempt.request);
        if (refusal != null && start - refusal.start < Math.min(KNOWN, refusal.delay)) {
            return refusal.delay == Long.MAX_VALUE ? refusal.delay : refusal.delay - (start - refusal.start);
        }
        waiting.add(attempt);
        try {
            if (closed) {
                throw new TimeoutException("closed");
            }
            long delay = attempt.get(timeoutNanos, TimeUnit.NANOSECONDS);
            if (delay > 0) {
                if (refusals.size() >= MOST_REFUSALS) {
                    refusals.clear();
                }
                refusals.put(attempt.request, new Refusal(start, delay));
            }
            return delay;
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (TimeoutException | InterruptedException e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw waiting.remove(attempt)
                    ? new NotAcquiredException(attempt, e)
                    : new OutcomeUnknownException(attempt, e);
        }
    }

    /** The database would refuse another key, and all attempts of the transaction with it. */
    private static void check(String key) {
        if (key.length() > 500 || !StandardCharsets.UTF_8.newEncoder().canEncode(key) || key.indexOf(0) >= 0) {
            throw new IllegalArgumentException(
                    "key: " + key + " (expected: at most 500 characters of Unicode, none of them 0)");
        }
    }

    private void serve() {
        while (!closed) {
            try {
                List<Attempt> batch = new ArrayList<>(List.of(waiting.take()));
                waiting.drainTo(batch, MOST - 1);
                serve(batch);
            } catch (InterruptedException e) {
                // It is closed.
            }
        }
        disconnect();
        waiting.forEach(attempt -> fail(attempt, false, new IllegalStateException("closed")));
    }

    /** Makes a transaction, and another one if the connection breaks before anything was granted. */
    private void serve(List<Attempt> batch) {
        boolean sent = false;
        for (int tries = 1; tries <= 2; tries++) {
            try {
                Connection open = connect();
                Map<String, SlidingWindowLimiter> granted = decide(open, batch);
                if (granted.isEmpty()) {
                    execute(open, "ROLLBACK"); // which waits for no disk
                } else {
                    sent = true;
                    update(open, granted);
                }
                batch.forEach(attempt -> attempt.complete(attempt.delay));
                return;
            } catch (SQLException | IOException | RuntimeException | Error e) {
                disconnect();
                if (sent || closed || tries == 2) {
                    boolean isUnknown = sent;
                    batch.forEach(attempt -> fail(attempt, isUnknown && attempt.delay == 0, e));
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // many callers, few connections
                    return;
                }
            }
        }
    }

    private static void fail(Attempt attempt, boolean isUnknown, Throwable cause) {
        attempt.completeExceptionally(
                isUnknown ? new OutcomeUnknownException(attempt, cause) : new NotAcquiredException(attempt, cause));
    }

    /** Returns the limiters that have granted something. */
    private Map<String, SlidingWindowLimiter> decide(Connection open, List<Attempt> batch) throws SQLException {
        Set<String> keys = new TreeSet<>();
        batch.forEach(attempt -> keys.addAll(attempt.request.limits.keySet()));
        Map<String, byte[]> states = lock(open, keys);
        if (states.size() < keys.size()) {
            try (PreparedStatement insert = open.prepareStatement(INSERT)) {
                insert.setObject(1, keys.toArray(String[]::new));
                insert.execute();
            }
            states = lock(open, keys);
        }
        Map<String, SlidingWindowLimiter> limiters = new HashMap<>();
        Map<String, SlidingWindowLimiter> granted = new HashMap<>();
        for (Attempt attempt : batch) {
            try {
                attempt.delay = decide(attempt.request, states, limiters);
                if (attempt.delay == 0) {
                    attempt.request.limits.keySet().forEach(key -> granted.put(key, limiters.get(key)));
                }
            } catch (IOException | IllegalStateException e) { // of this attempt alone
                attempt.delay = Long.MAX_VALUE;
                fail(attempt, false, e);
            }
        }
        return granted;
    }

    /** Grants at the beginning of a tick, where grants share an entry, and counts them for a tick longer. */
    private long decide(Request request, Map<String, byte[]> states, Map<String, SlidingWindowLimiter> limiters)
            throws IOException {
        List<SlidingWindowLimiter> all = new ArrayList<>();
        long tick = Long.MAX_VALUE;
        for (Map.Entry<String, Limit> entry : request.limits.entrySet()) {
            Limit limit = entry.getValue();
            long interval = limit.interval().toNanos();
            long ownTick = Math.max(1, interval / 1_000_000) * 1_000; // whole microseconds, as the clock
            Duration counted = Duration.ofNanos(Math.min(interval + ownTick, 1L << 61));
            if (nanos - jumped <= counted.toNanos()) {
                throw new IllegalStateException("the clock of the database went ahead less than " + counted + " ago");
            }
            Limit stored = limit.isPerCall() ? Limit.ofCalls(limit.max(), counted) : Limit.of(limit.max(), counted);
            SlidingWindowLimiter limiter = limiters.get(entry.getKey());
            if (limiter == null) {
                byte[] state = requireNonNull(states.get(entry.getKey()));
                limiter = state.length == 0
                        ? SlidingWindowLimiter.of(stored)
                        : SlidingWindowLimiter.readFrom(new DataInputStream(new ByteArrayInputStream(state)));
                limiters.put(entry.getKey(), limiter);
            }
            if (!limiter.limits().equals(List.of(stored))) {
                limiter.setLimits(stored);
            }
            all.add(limiter);
            tick = Math.min(tick, ownTick);
        }
        long begin = time - Math.floorMod(time, tick);
        long delay = Limiter.allOf(all).tryAcquireOrDelay(begin, request.permits);
        return delay == 0 || delay == Long.MAX_VALUE ? delay : begin + delay + Math.floorMod(-delay, tick) - time;
    }

    /** Returns the states of the rows that exist. */
    private Map<String, byte[]> lock(Connection open, Set<String> keys) throws SQLException {
        Map<String, byte[]> states = new HashMap<>();
        try (PreparedStatement statement = open.prepareStatement(LOCK)) {
            statement.setObject(1, keys.toArray(String[]::new));
            long before = nanoTime.getAsLong();
            boolean isResult = statement.execute();
            long after = nanoTime.getAsLong();
            while (!isResult) {
                isResult = statement.getMoreResults();
            }
            long read = Long.MIN_VALUE;
            for (ResultSet rows = statement.getResultSet(); rows.next(); ) {
                states.put(rows.getString(1), rows.getBytes(2));
                read = Math.max(read, rows.getLong(3) * 1_000); // after the last lock
            }
            if (!states.isEmpty()) {
                checkClock(read, before, after);
            }
        }
        return states;
    }

    /** If the clock goes back, there is nothing to do: a key waits until the clock has reached its latest grant. */
    private void checkClock(long read, long before, long after) {
        ahead += (after - nanos) / 1_000; // no clock drifts as much
        time = read;
        nanos = after;
        if (time - after - ahead > TOLERANCE) {
            jumped = after;
            ahead = Long.MAX_VALUE;
        }
        ahead = Math.min(ahead, time - before);
    }

    private void update(Connection open, Map<String, SlidingWindowLimiter> granted) throws SQLException, IOException {
        String[] keys = granted.keySet().toArray(String[]::new);
        byte[][] states = new byte[keys.length][];
        long[] expires = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            SlidingWindowLimiter limiter = requireNonNull(granted.get(keys[i]));
            ByteArrayOutputStream state = new ByteArrayOutputStream();
            limiter.writeTo(new DataOutputStream(state));
            states[i] = state.toByteArray();
            long step = Math.max(60, limiter.limits().get(0).interval().toSeconds() + 1); // the index seldom changes
            expires[i] = (time / 1_000_000_000 / step + 2) * step;
        }
        try (PreparedStatement update = open.prepareStatement(UPDATE)) {
            update.setQueryTimeout(timeoutSeconds); // or sessions would pile up while a standby hangs
            update.setObject(1, keys);
            update.setObject(2, states);
            update.setObject(3, expires);
            update.execute();
            while (update.getMoreResults() || update.getUpdateCount() >= 0) {
                // until the record
            }
            if (update.getWarnings() != null) { // a wait for the standby that was cancelled succeeds
                throw update.getWarnings();
            }
        }
    }

    private Connection connect() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = database.getConnection();
            connection = open;
            execute(open, String.format(SETTINGS, Math.max(1, timeoutNanos / 2_000_000)));
        }
        return open;
    }

    private static void execute(Connection open, String sql) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(sql);
        }
    }

    private void disconnect() {
        Connection open = connection;
        connection = null;
        try {
            if (open != null) {
                open.abort(Runnable::run); // even if the database hangs
            }
        } catch (SQLException e) {
            // It is closed.
        }
    }

    /** Ends all attempts at once, with one of the exceptions. Later ones throw {@link NotAcquiredException}. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        disconnect();
    }
}
