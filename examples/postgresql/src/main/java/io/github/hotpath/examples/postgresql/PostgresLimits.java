package io.github.hotpath.examples.postgresql;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
    /** Creates the table. A row takes some 3 KB at most if each call has one permit, and 9 KB otherwise. */
    public static final String TABLE = """
            CREATE TABLE hotpath_limit (
                key text COLLATE "C" PRIMARY KEY,
                state bytea NOT NULL, -- by SlidingWindowLimiter.writeTo; empty before the first grant
                expires bigint NOT NULL -- in seconds, when nothing counts any more
            );
            CREATE INDEX ON hotpath_limit (expires);""";

    /** Deletes up to a thousand rows in which nothing counts any more. A scheduler runs it, such as once a minute. */
    public static final String DELETE_IDLE = """
            DELETE FROM hotpath_limit WHERE key IN (
                SELECT key FROM hotpath_limit WHERE expires < extract(epoch FROM statement_timestamp())::bigint
                ORDER BY expires LIMIT 1000 FOR UPDATE SKIP LOCKED)""";

    /**
     * Of each session, from its start on: a pool in between refuses them, and does not give them to others. After half
     * the timeout a wait for a lock ends, and a process that is paused with locks; after 4 s one that has vanished.
     */
    private static final String SETTINGS = "-c synchronous_commit=off -c client_min_messages=warning"
            + " -c default_transaction_isolation=read\\ committed"
            + " -c lock_timeout=%1$d -c idle_in_transaction_session_timeout=%1$d"
            + " -c tcp_keepalives_idle=1 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3";

    /** Locks the rows in the order of the keys, against deadlocks, and reads the clock after each lock. */
    private static final String LOCK = """
            WITH locked AS MATERIALIZED (
                SELECT key, state FROM hotpath_limit WHERE key = ANY (?) ORDER BY key FOR UPDATE %s)
            SELECT key, state, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM locked""";

    private static final String INSERT = """
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

    private static final long TOLERANCE = Duration.ofMillis(100).toNanos(); // of a clock that goes ahead
    private static final long LONGEST = 1L << 61; // interval of a limit

    LongSupplier nanoTime = System::nanoTime; // tests have another
    private final PGSimpleDataSource database;
    private final Duration timeout;
    private final int timeoutSeconds;
    private final LinkedBlockingQueue<Attempt> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::serve, "limits on PostgreSQL");
    private volatile boolean closed;
    private volatile @Nullable Connection connection;

    // Of the thread alone.
    private boolean hasFailed; // the last transaction
    private boolean skipsLocked; // somebody keeps a row locked: what needs it waits for its time-out, and nothing else
    private long time; // of the database, when it was read last
    private long nanos; // of this machine, just after that
    private long ahead = 1L << 62; // time is ahead of nanos by at most so much
    private final List<Jump> jumps = new ArrayList<>();

    /** The nanos when time was found to have gone ahead, and by how much at most. */
    private record Jump(long nanos, long by) {}

    private static final class Attempt extends CompletableFuture<Answer> {
        private final Map<String, Limit> limits;
        private final int permits;
        private @Nullable Answer answer; // of this transaction

        Attempt(Map<String, Limit> limits, int permits) {
            this.limits = new LinkedHashMap<>(limits); // the caller may change its own
            this.permits = permits;
        }

        boolean isGranted() {
            return answer != null && answer.delayNanos == 0;
        }
    }

    /**
     * A decision.
     *
     * @param delayNanos 0 if the permits were acquired, otherwise for how many nanoseconds such an attempt is refused;
     *     {@link Long#MAX_VALUE} if it always is
     * @param quotas what is left of each limit, in the order of the keys
     */
    public record Answer(long delayNanos, Map<String, Quota> quotas) {}

    /** No permits were acquired. */
    public static final class NotAcquiredException extends RuntimeException {
        NotAcquiredException(Attempt attempt, Throwable cause) {
            super("keys: " + attempt.limits.keySet() + " (expected: a database that can grant): " + cause, cause);
        }
    }

    /** The permits may have been acquired, once. */
    public static final class OutcomeUnknownException extends RuntimeException {
        OutcomeUnknownException(Attempt attempt, Throwable cause) {
            super("keys: " + attempt.limits.keySet() + " (expected: an answer): " + cause, cause);
        }
    }

    /**
     * Creates the limits at a database, to which a thread connects.
     *
     * @param database with user and password. TLS is an option of its URL, as are several hosts with
     *     {@code targetServerType=primary}. No pooler such as PgBouncer is in between. This sets its timeouts, and adds
     *     to its options
     * @param timeout after which a call fails that has no answer, from 1 ms to 1 min; the database ends a transaction
     *     that waits, or is waited for, for half as long. Connecting has as many seconds, rounded up
     * @throws IllegalArgumentException if {@code timeout} is out of its range
     */
    public PostgresLimits(PGSimpleDataSource database, Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: from 1 ms to 1 min)");
        }
        this.timeout = timeout;
        timeoutSeconds = (int) timeout.plusMillis(999).toSeconds();
        this.database = database;
        database.setConnectTimeout(timeoutSeconds);
        database.setSocketTimeout(2 * timeoutSeconds); // a wait for the standby is cancelled before
        database.setCancelSignalTimeout(timeoutSeconds);
        database.setLoginTimeout(2 * timeoutSeconds * database.getServerNames().length);
        String options = SETTINGS.formatted(Math.max(1, timeout.toMillis() / 2));
        database.setOptions(database.getOptions() == null ? options : database.getOptions() + " " + options);
        waiting.add(new Attempt(Map.of(), 1)); // connects, or the first one would wait for it
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Acquires permits of every key, or changes nothing.
     *
     * @param limits of each key; none grants everything
     * @param permits at least 1
     * @return the answer, on a thread that what depends on it must not block. The future fails with {@link
     *     NotAcquiredException} if the database cannot grant, and with {@link OutcomeUnknownException} if there is no
     *     answer; the attempt is not repeated
     * @throws IllegalArgumentException if {@code permits} is less than 1, or if a key has more than 500 characters, a 0
     *     or half a surrogate pair
     */
    public CompletableFuture<Answer> decide(Map<String, Limit> limits, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: at least 1)");
        }
        limits.keySet().forEach(PostgresLimits::check);
        if (limits.isEmpty()) {
            return CompletableFuture.completedFuture(new Answer(0, Map.of()));
        }
        Attempt attempt = new Attempt(limits, permits);
        waiting.add(attempt);
        if (closed) {
            fail(attempt, false, new IllegalStateException("closed"));
        }
        return attempt.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).exceptionally(failure -> {
            throw failure instanceof RuntimeException known ? known : new OutcomeUnknownException(attempt, failure);
        });
    }

    /** The database would refuse another key, and all attempts of the transaction with it. */
    private static void check(String key) {
        if (key.length() > 500 || key.codePoints().anyMatch(c -> c == 0 || c >= 0xd800 && c < 0xe000)) {
            throw new IllegalArgumentException("key: " + key.substring(0, Math.min(key.length(), 500))
                    + " (expected: at most 500 characters of Unicode, none of them 0)");
        }
    }

    private void serve() {
        while (!closed) {
            List<Attempt> batch = new ArrayList<>();
            try {
                batch.add(waiting.take());
                waiting.drainTo(batch, 999); // a thousand in a transaction
                serve(batch);
            } catch (InterruptedException e) {
                // It is closed.
            }
        }
        disconnect();
        waiting.forEach(attempt -> fail(attempt, false, new IllegalStateException("closed")));
    }

    /** Makes a transaction. If it fails before anything was granted, as on a broken connection, another one follows. */
    private void serve(List<Attempt> batch) {
        boolean sent = false;
        try {
            LockSupport.parkNanos(skipsLocked ? 1_000_000 : 0); // until it looks again
            Connection open = connection;
            if (open == null) {
                open = database.getConnection();
                open.setAutoCommit(false);
                connection = open;
            }
            Map<String, SlidingWindowLimiter> granted = decide(open, batch);
            sent = !granted.isEmpty();
            if (sent) {
                update(open, granted);
            } else {
                open.rollback(); // which waits for no disk
            }
            hasFailed = false;
            batch.forEach(attempt -> attempt.complete(attempt.answer));
        } catch (SQLException | IOException | RuntimeException | Error e) {
            skipsLocked |= e instanceof SQLException failure && "55P03".equals(failure.getSQLState());
            disconnect();
            if (sent || hasFailed) {
                boolean isUnknown = sent;
                batch.forEach(attempt -> fail(attempt, isUnknown && attempt.isGranted(), e));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // many callers, few connections
            } else {
                waiting.addAll(batch);
            }
            hasFailed = true;
        }
    }

    private static void fail(Attempt attempt, boolean isUnknown, Throwable cause) {
        attempt.completeExceptionally(
                isUnknown ? new OutcomeUnknownException(attempt, cause) : new NotAcquiredException(attempt, cause));
    }

    /** Returns the limiters that have granted something. An attempt for which a row is missing is made again later. */
    private Map<String, SlidingWindowLimiter> decide(Connection open, List<Attempt> batch) throws SQLException {
        TreeSet<String> keys = new TreeSet<>();
        batch.forEach(attempt -> keys.addAll(attempt.limits.keySet()));
        Map<String, byte[]> states = lock(open, keys);
        if (states.size() < keys.size()) {
            open.rollback(); // since all locks are acquired in the order of the keys
            try (PreparedStatement insert = open.prepareStatement(INSERT)) {
                insert.setObject(1, keys.toArray(String[]::new));
                insert.execute();
            }
            open.commit();
            states = lock(open, keys);
        }
        skipsLocked &= states.size() < keys.size();
        keys.retainAll(states.keySet());
        batch.removeIf(
                attempt -> attempt.isDone() || !keys.containsAll(attempt.limits.keySet()) && waiting.add(attempt));
        Map<String, SlidingWindowLimiter> limiters = new HashMap<>();
        Map<String, SlidingWindowLimiter> granted = new HashMap<>();
        for (Attempt attempt : batch) {
            try {
                decide(attempt, states, limiters);
            } catch (IOException e) { // of this attempt alone
                fail(attempt, false, e);
            }
            if (attempt.isGranted()) {
                attempt.limits.keySet().forEach(key -> granted.put(key, limiters.get(key)));
            }
        }
        return granted;
    }

    /** Grants at the beginning of a tick of each limit, where grants share an entry. */
    private void decide(Attempt attempt, Map<String, byte[]> states, Map<String, SlidingWindowLimiter> limiters)
            throws IOException {
        List<Limiter> all = new ArrayList<>();
        for (Map.Entry<String, Limit> asked : attempt.limits.entrySet()) {
            byte[] state = states.get(asked.getKey());
            SlidingWindowLimiter limiter = limiters.get(asked.getKey());
            if (limiter == null) {
                limiter = state.length == 0
                        ? SlidingWindowLimiter.of(asked.getValue())
                        : SlidingWindowLimiter.readFrom(new DataInputStream(new ByteArrayInputStream(state)));
                limiters.put(asked.getKey(), limiter);
            }
            limiter.setLimits(counted(asked.getValue()));
            all.add(limiter);
        }
        long delay = Limiter.allOf(all).peek(time, attempt.permits).delayNanos();
        Map<String, Quota> quotas = new LinkedHashMap<>();
        attempt.limits.forEach((key, limit) -> {
            SlidingWindowLimiter limiter = limiters.get(key);
            if (delay == 0) {
                limiter.record(time - time % tick(limit), attempt.permits);
            }
            Quota left = limiter.peek(time, attempt.permits).quotas().get(0);
            quotas.put(key, new Quota(limit, left.remaining(), left.nanosUntilMore(), delay > 0 && left.exceeded()));
        });
        attempt.answer = new Answer(delay, quotas);
    }

    private static long tick(Limit limit) {
        return Math.max(1, limit.interval().toNanos() / 1_000_000) * 1_000; // whole microseconds, as the clock
    }

    /** Returns a limit that counts from the beginning of a tick on; and for longer if the clock went ahead since then. */
    private Limit counted(Limit limit) {
        long interval = Math.min(limit.interval().toNanos() + tick(limit) - 1_000, LONGEST);
        long counted = interval;
        for (Jump jump : jumps) {
            counted += nanos - jump.nanos <= interval ? Math.min(jump.by, LONGEST - counted) : 0;
        }
        Duration longer = Duration.ofNanos(counted);
        return limit.isPerCall() ? Limit.ofCalls(limit.max(), longer) : Limit.of(limit.max(), longer);
    }

    /** Returns the states of the rows that exist, and that nobody else has locked if those are skipped. */
    private Map<String, byte[]> lock(Connection open, TreeSet<String> keys) throws SQLException {
        Map<String, byte[]> states = new HashMap<>();
        try (PreparedStatement statement = open.prepareStatement(LOCK.formatted(skipsLocked ? "SKIP LOCKED" : ""))) {
            statement.setObject(1, keys.toArray(String[]::new));
            long before = nanoTime.getAsLong();
            ResultSet rows = statement.executeQuery();
            long read = Long.MIN_VALUE;
            while (rows.next()) {
                states.put(rows.getString(1), rows.getBytes(2));
                read = Math.max(read, rows.getLong(3) * 1_000); // after the last lock
            }
            if (!states.isEmpty()) {
                checkClock(read, before, nanoTime.getAsLong());
            }
        }
        return states;
    }

    /** If the clock goes back, there is nothing to do: a key waits until the clock has reached its latest grant. */
    private void checkClock(long read, long before, long after) {
        long most = ahead + (after - nanos) / 1_000; // no clock drifts as much
        time = read;
        nanos = after;
        if (time - after - most > TOLERANCE) {
            jumps.add(new Jump(after, time - before - most + TOLERANCE));
            if (jumps.size() > 10_000) {
                jumps.remove(0); // no limit can be kept by such a clock
            }
            most = Long.MAX_VALUE;
        }
        ahead = Math.min(most, time - before);
    }

    private void update(Connection open, Map<String, SlidingWindowLimiter> granted) throws SQLException, IOException {
        List<byte[]> states = new ArrayList<>();
        List<Long> expires = new ArrayList<>();
        for (SlidingWindowLimiter limiter : granted.values()) {
            ByteArrayOutputStream state = new ByteArrayOutputStream();
            limiter.writeTo(new DataOutputStream(state));
            states.add(state.toByteArray());
            long step = Math.max(60, limiter.limits().get(0).interval().toSeconds() + 1); // the index seldom changes
            expires.add((time / 1_000_000_000 / step + 2) * step);
        }
        try (PreparedStatement update = open.prepareStatement(UPDATE)) {
            update.setQueryTimeout(timeoutSeconds); // or sessions would pile up while a standby hangs
            update.setObject(1, granted.keySet().toArray(String[]::new));
            update.setObject(2, states.toArray(byte[][]::new));
            update.setObject(3, expires.toArray(Long[]::new));
            update.execute();
            while (update.getMoreResults() || update.getUpdateCount() >= 0) {
                // until the record
            }
            if (update.getWarnings() != null) { // a wait for the standby that was cancelled succeeds
                throw update.getWarnings();
            }
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

    /** Ends all attempts at once, with one of the exceptions. Later ones fail with {@link NotAcquiredException}. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        disconnect();
    }
}
