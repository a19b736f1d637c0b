package io.github.hotpath.examples.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.examples.postgresql.PostgresLimits.NotAcquiredException;
import io.github.hotpath.examples.postgresql.PostgresLimits.OutcomeUnknownException;
import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The answers, by a clock of the database that stands until the test sets it. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // for what hangs
class PostgresLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long SEED = Long.getLong("hotpath.seed", 66);

    private static ServerProcess server;

    private final List<PostgresLimits> opened = new ArrayList<>();
    private final AtomicLong nanoTime = new AtomicLong(-5_000_000_000L); // also of this machine
    private long micros = 1_800_000_000_000_000L;
    private PostgresLimits limits;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = new ServerProcess("fsync = off").start();
        server.execute(PostgresLimits.TABLE);
        server.execute("""
                CREATE TABLE clock (now timestamptz);
                INSERT INTO clock VALUES (now());
                CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
                    AS 'SELECT now FROM public.clock';
                CREATE ROLE quiet LOGIN;
                ALTER ROLE quiet SET client_min_messages TO error;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO quiet""");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void begin() throws SQLException {
        server.execute("DELETE FROM hotpath_limit");
        advance(0);
        limits = open();
    }

    @AfterEach
    void end() {
        opened.forEach(PostgresLimits::close);
    }

    private PostgresLimits open() {
        return open(database(), Duration.ofSeconds(30));
    }

    private PostgresLimits open(PGSimpleDataSource database, Duration timeout) {
        PostgresLimits one = new PostgresLimits(database, timeout, nanoTime::get);
        opened.add(one);
        return one;
    }

    /** Its sessions see the clock of the test. */
    private static PGSimpleDataSource database() {
        PGSimpleDataSource database = server.dataSource();
        database.setOptions("-c search_path=public,pg_catalog");
        return database;
    }

    private void advance(long more) throws SQLException {
        micros += more;
        nanoTime.addAndGet(more * 1_000);
        setClock();
    }

    private void setClock() throws SQLException {
        server.execute("UPDATE clock SET now = 'epoch'::timestamptz + " + micros + " * interval '1 microsecond'");
    }

    private static Map<String, Limit> key(String key, long permits, Duration interval) {
        return Map.of(key, Limit.of(permits, interval));
    }

    @Test
    void tryAcquireOrDelay_limitReached_refusedUntilTheOldestHasExpired() throws SQLException {
        Map<String, Limit> twoInASecond = key("a", 2, SECOND);

        assertThat(limits.tryAcquireOrDelay(twoInASecond, 1)).isZero();
        advance(400_000);
        assertThat(open().tryAcquireOrDelay(twoInASecond, 1)).isZero(); // by another process
        long delay = limits.tryAcquireOrDelay(twoInASecond, 1);
        assertThat(delay).isEqualTo(602_000_000); // a grant counts for a tick of 1 ms longer, and the window is closed
        advance(delay / 1_000 - 1);
        assertThat(limits.tryAcquireOrDelay(twoInASecond, 1)).isEqualTo(1_000);
        advance(1);
        assertThat(limits.tryAcquireOrDelay(twoInASecond, 1)).isZero();
    }

    @Test
    void tryAcquireOrDelay_specialLimits() {
        assertThat(limits.tryAcquireOrDelay(Map.of(), 7)).isZero();
        assertThat(limits.tryAcquireOrDelay(key("none", 0, MINUTE), 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(limits.tryAcquireOrDelay(key("few", 2, MINUTE), 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(limits.tryAcquireOrDelay(key("long", 2, Duration.ofNanos(1L << 61)), 1))
                .isZero();
        assertThat(limits.tryAcquireOrDelay(key("short", 1, Duration.ZERO), 1)).isZero();
        assertThat(limits.tryAcquireOrDelay(key("short", 1, Duration.ZERO), 1)).isEqualTo(2_000);
        Map<String, Limit> oneCall = Map.of("calls", Limit.ofCalls(1, MINUTE));
        assertThat(limits.tryAcquireOrDelay(oneCall, 1_000)).isZero();
        assertThat(limits.tryAcquireOrDelay(oneCall, 1)).isPositive();
    }

    @Test
    void tryAcquireOrDelay_severalKeys_allOrNothing() {
        assertThat(limits.tryAcquireOrDelay(key("b", 1, MINUTE), 1)).isZero();
        Map<String, Limit> both = Map.of("a", Limit.of(1, MINUTE), "b", Limit.of(1, MINUTE));

        assertThat(limits.tryAcquireOrDelay(both, 1)).isPositive();
        assertThat(limits.tryAcquireOrDelay(key("a", 1, MINUTE), 1)).isZero();
    }

    /** No span of an interval has more than the limit; and none is refused that it would have room for, to a tick. */
    @Test
    void tryAcquireOrDelay_randomCalls_exactToATick() throws SQLException {
        Random random = new Random(SEED);
        Duration[] intervals = {Duration.ofNanos(1_234_567_891), Duration.ofMillis(3), Duration.ofSeconds(70)};
        long[] maximums = {7, 3, 40};
        List<PostgresLimits> processes = List.of(limits, open());
        List<List<long[]>> granted = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        int grants = 0;
        for (int i = 0; i < 400; i++) {
            Map<String, Limit> asked = new HashMap<>();
            List<Integer> keys = new ArrayList<>();
            for (int key = 0; key < 3; key++) {
                if (random.nextInt(3) == 0) {
                    keys.add(key);
                    asked.put("k" + key, Limit.of(maximums[key], intervals[key]));
                }
            }
            int permits = 1 + random.nextInt(2);
            long delay = processes.get(random.nextInt(2)).tryAcquireOrDelay(asked, permits);
            String call = "seed " + SEED + ", call " + i;
            if (delay == 0) {
                grants++;
                keys.forEach(key -> granted.get(key).add(new long[] {micros * 1_000, permits}));
                for (int key : keys) {
                    long nanos = intervals[key].toNanos();
                    assertThat(within(granted.get(key), nanos)).as(call).isLessThanOrEqualTo(maximums[key]);
                }
            } else {
                assertThat(keys).as(call).anyMatch(key -> {
                    long nanos = intervals[key].toNanos();
                    return within(granted.get(key), nanos + nanos / 1_000 + 1_000) + permits > maximums[key];
                });
            }
            advance(random.nextInt(4) == 0 ? random.nextInt(3_000_000) : random.nextInt(2_000));
        }
        assertThat(grants).isBetween(100, 350);
    }

    /** Returns the permits up to so many nanoseconds old. */
    private long within(List<long[]> granted, long nanos) {
        return granted.stream()
                .filter(grant -> micros * 1_000 - grant[0] <= nanos)
                .mapToLong(grant -> grant[1])
                .sum();
    }

    @Test
    void tryAcquireOrDelay_manyGrantsInATick_shareAnEntry() throws SQLException {
        Map<String, Limit> many = key("a", 1_000_000, SECOND);
        for (int i = 0; i < 90; i++) {
            assertThat(limits.tryAcquireOrDelay(many, 1)).isZero();
            advance(10);
        }
        assertThat(server.number("SELECT length(state) FROM hotpath_limit"))
                .isLessThan(60); // 90 entries would take more
    }

    @Test
    void tryAcquireOrDelay_refused_knownForASecond() throws SQLException {
        Map<String, Limit> one = key("a", 1, MINUTE);
        limits.tryAcquireOrDelay(one, 1);
        long delay = limits.tryAcquireOrDelay(one, 1);
        server.execute("DELETE FROM hotpath_limit");

        assertThat(limits.tryAcquireOrDelay(one, 1)).isEqualTo(delay);
        advance(999_999);
        assertThat(limits.tryAcquireOrDelay(one, 1)).isEqualTo(delay - 999_999_000);
        assertThat(limits.tryAcquireOrDelay(one, 2)).isEqualTo(Long.MAX_VALUE); // asked
        advance(1);
        assertThat(limits.tryAcquireOrDelay(one, 1)).isZero();
    }

    @Test
    void tryAcquireOrDelay_anotherLimit_holdsFromThenOn() throws SQLException {
        limits.tryAcquireOrDelay(key("a", 5, MINUTE), 5);

        assertThat(limits.tryAcquireOrDelay(key("a", 6, MINUTE), 1)).isZero();
        assertThat(limits.tryAcquireOrDelay(key("a", 4, MINUTE), 1)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\ud83d"})
    void tryAcquireOrDelay_keyIsNoText_rejected(String key) {
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(key(key, 1, SECOND), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key: " + key + " (expected: at most 500 characters of Unicode, none of them 0)");
    }

    @Test
    void tryAcquireOrDelay_badArguments_rejected() {
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(key("a".repeat(501), 1, SECOND), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("key: aaa");
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(key("a", 1, SECOND), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permits: 0 (expected: at least 1)");
        for (String timeout : List.of("PT0.0009S", "PT1M0.001S")) {
            assertThatThrownBy(() -> new PostgresLimits(database(), Duration.parse(timeout)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeout: " + timeout + " (expected: from 1 ms to 1 min)");
        }
        assertThat(limits.tryAcquireOrDelay(key("\ud83d\ude00".repeat(250), 1, SECOND), 1))
                .isZero();
    }

    // The clock

    @Test
    void clock_wentAhead_refusedForTheInterval() throws SQLException {
        Map<String, Limit> perMinute = key("minute", 5, MINUTE);
        Map<String, Limit> perSecond = key("second", 5, SECOND);
        limits.tryAcquireOrDelay(perMinute, 5);
        limits.tryAcquireOrDelay(perSecond, 5);
        micros += 61_000_000; // but not the time of this machine
        setClock();

        assertThatThrownBy(() -> limits.tryAcquireOrDelay(perMinute, 1))
                .isInstanceOf(NotAcquiredException.class)
                .hasMessageContaining("the clock of the database went ahead");
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(perSecond, 1)).isInstanceOf(NotAcquiredException.class);
        advance(1_001_000);
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(perSecond, 1)).isInstanceOf(NotAcquiredException.class);
        advance(1);
        assertThat(limits.tryAcquireOrDelay(perSecond, 1)).isZero();
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(perMinute, 1)).isInstanceOf(NotAcquiredException.class);
        advance(60_060_000 - 1_001_000);
        assertThat(limits.tryAcquireOrDelay(perMinute, 1)).isZero();
    }

    @Test
    void clock_goesAheadByLittle_noticedWhenItIsTooMuch() throws SQLException {
        Map<String, Limit> many = key("a", 1_000, MINUTE);
        limits.tryAcquireOrDelay(many, 1);
        for (int i = 0; i < 4; i++) {
            micros += 25_000;
            setClock();
            assertThat(limits.tryAcquireOrDelay(many, 1)).isZero();
        }
        micros += 25_000;
        setClock();
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(many, 1)).isInstanceOf(NotAcquiredException.class);
    }

    @Test
    void clock_drifts_tolerated() throws SQLException {
        Map<String, Limit> many = key("a", 1_000, MINUTE);
        for (int i = 0; i < 10; i++) {
            assertThat(limits.tryAcquireOrDelay(many, 1)).isZero();
            nanoTime.addAndGet(Duration.ofHours(1).toNanos());
            micros += Duration.ofHours(1).toMillis() * 1_000 + 3_599_000; // a thousandth more
            setClock();
        }
    }

    @Test
    void clock_goesBack_waits() throws SQLException {
        Map<String, Limit> one = key("a", 1, SECOND);
        limits.tryAcquireOrDelay(one, 1);
        micros -= 30_000_000;
        setClock();

        assertThat(limits.tryAcquireOrDelay(one, 1)).isEqualTo(31_002_000_000L);
    }

    // Rows

    @Test
    void damagedRow_sameTransaction_failsItsOwnAttempts() throws Exception {
        server.execute("INSERT INTO hotpath_limit VALUES ('damaged', 'no state', 0)");
        CompletableFuture<Long> blocked;
        CompletableFuture<Long> damaged;
        CompletableFuture<Long> good;
        try (RowLock lock = new RowLock("blocked")) {
            blocked = async(key("blocked", 1, MINUTE));
            lock.awaitWaiting();
            damaged = async(Map.of("damaged", Limit.of(1, MINUTE), "good", Limit.of(1, MINUTE)));
            good = async(key("good", 1, MINUTE));
        }

        assertThat(blocked.join()).isZero();
        assertThatThrownBy(damaged::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotAcquiredException.class)
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(good.join()).isZero();
    }

    private static int deleteIdle() throws SQLException {
        try (Connection connection = database().getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(PostgresLimits.DELETE_IDLE);
        }
    }

    @Test
    void deleteIdle_onlyRowsInWhichNothingCounts() throws SQLException {
        limits.tryAcquireOrDelay(key("minute", 1, MINUTE), 1);
        limits.tryAcquireOrDelay(key("hour", 1, Duration.ofHours(1)), 1);
        assertThat(deleteIdle()).isZero();
        advance(60_060_000);
        assertThat(deleteIdle()).isZero();
        advance(121_000_000);

        assertThat(deleteIdle()).isEqualTo(1);
        assertThat(limits.tryAcquireOrDelay(key("minute", 1, MINUTE), 1)).isZero();
        assertThat(limits.tryAcquireOrDelay(key("hour", 1, Duration.ofHours(1)), 1))
                .isPositive();
    }

    @Test
    void deleteIdle_lockedRow_leftAlone() throws Exception {
        limits.tryAcquireOrDelay(key("a", 1, SECOND), 1);
        advance(300_000_000);
        RowLock lock = new RowLock("a");
        assertThat(deleteIdle()).isZero();
        lock.close();
        assertThat(deleteIdle()).isEqualTo(1);
    }

    // Errors

    @Test
    void noServer_notAcquired() throws IOException {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://127.0.0.1:" + Ports.free() + "/postgres");
        PostgresLimits none = open(nobody, Duration.ofSeconds(30));

        assertThatThrownBy(() -> none.tryAcquireOrDelay(key("a", 1, SECOND), 1))
                .isInstanceOf(NotAcquiredException.class)
                .hasMessageStartingWith("keys: [a] (expected: a database that can grant): ");
    }

    @Test
    void sessionTerminated_nextCallIsGranted() throws SQLException {
        limits.tryAcquireOrDelay(key("a", 9, MINUTE), 1);
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                + " AND backend_type = 'client backend'");

        assertThat(limits.tryAcquireOrDelay(key("a", 9, MINUTE), 1)).isZero();
    }

    @Test
    void processPaused_betweenItsStatements_othersGoOn() throws Exception {
        Map<String, Limit> nine = key("a", 9, MINUTE);
        try (Proxy proxy = new Proxy(server.port())) {
            PostgresLimits paused = open(proxied(proxy), SECOND);
            assertThat(paused.tryAcquireOrDelay(nine, 1)).isZero();
            proxy.holdBefore("UPDATE hotpath_limit");

            assertThatThrownBy(() -> paused.tryAcquireOrDelay(nine, 1)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(limits.tryAcquireOrDelay(nine, 8)).isZero(); // its lock is released, and nothing has counted
        }
    }

    private static PGSimpleDataSource proxied(Proxy proxy) {
        PGSimpleDataSource database = database();
        database.setPortNumbers(new int[] {proxy.port()});
        database.setPrepareThreshold(0); // the text of each statement is sent
        return database;
    }

    @Test
    void serverHangs_callsEnd_untilItAnswers() throws Exception {
        try (Proxy proxy = new Proxy(server.port())) {
            PostgresLimits hanging = open(proxied(proxy), Duration.ofMillis(200));
            proxy.holdBefore("postgres"); // the name of the user
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> hanging.tryAcquireOrDelay(key("a", 9, MINUTE), 1))
                        .isInstanceOfAny(NotAcquiredException.class, OutcomeUnknownException.class);
            }
            proxy.release();
            assertThat(IntStream.range(0, 100)).anyMatch(call -> isGranted(hanging));
        }
    }

    @Test
    void connectionHangs_anotherOneIsMade() throws Exception {
        try (Proxy proxy = new Proxy(server.port())) {
            PostgresLimits hanging = open(proxied(proxy), Duration.ofMillis(200));
            proxy.holdBefore("BEGIN");
            assertThatThrownBy(() -> hanging.tryAcquireOrDelay(key("a", 9, MINUTE), 1))
                    .isInstanceOfAny(NotAcquiredException.class, OutcomeUnknownException.class);
            proxy.holdBefore("nothing"); // on other connections
            assertThat(IntStream.range(0, 100)).anyMatch(call -> isGranted(hanging));
        }
    }

    private static boolean isGranted(PostgresLimits limits) {
        try {
            return limits.tryAcquireOrDelay(key("a", 9, MINUTE), 1) == 0;
        } catch (NotAcquiredException | OutcomeUnknownException e) {
            return false;
        }
    }

    /** No deadlock fails a call, and no grant is lost, also while rows are inserted. */
    @Test
    void severalProcesses_keysInAnyOrder_eachGrantCountsOnce() throws Exception {
        List<PostgresLimits> processes = List.of(limits, open(), open());
        LongAdder[] granted = {new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder()};
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            PostgresLimits process = processes.get(i % 3);
            Random random = new Random(SEED + i);
            CompletableFuture<Void> caller = new CompletableFuture<>();
            callers.add(caller);
            new Thread(() -> caller.completeAsync(
                            () -> {
                                for (int j = 0; j < 20; j++) {
                                    Map<String, Limit> keys = new HashMap<>();
                                    while (keys.size() < 3) {
                                        keys.put("k" + random.nextInt(5), Limit.of(1_000, MINUTE));
                                    }
                                    assertThat(process.tryAcquireOrDelay(keys, 1))
                                            .isZero();
                                    keys.keySet().forEach(key -> granted[key.charAt(1) - '0'].increment());
                                }
                                return null;
                            },
                            Runnable::run))
                    .start();
        }
        callers.forEach(CompletableFuture::join);

        assertThat(server.number("SELECT sum(deadlocks) FROM pg_stat_database")).isZero();
        for (int key = 0; key < granted.length; key++) {
            assertThat(counted("k" + key)).as("seed %d", SEED).isEqualTo(granted[key].sum());
        }
    }

    /** Cut at any byte in either direction: what was granted counts, and at most what is unknown besides. */
    @Test
    void connectionCut_anywhere_countsOnceAtMost() throws Exception {
        Random random = new Random(SEED);
        Map<String, Limit> many = key("a", 1_000_000, Duration.ofHours(1));
        int granted = 0;
        int unknown = 0;
        int cuts = 0;
        try (Proxy proxy = new Proxy(server.port())) {
            PostgresLimits cut = open(proxied(proxy), Duration.ofSeconds(30));
            for (; unknown < 10 && cuts < 300; cuts++) {
                proxy.cutAfter(random.nextInt(4_000));
                try {
                    granted += cut.tryAcquireOrDelay(many, 1) == 0 ? 1 : 0;
                } catch (OutcomeUnknownException e) {
                    unknown++;
                } catch (NotAcquiredException e) {
                    // Nothing counts.
                }
            }
        }
        assertThat(unknown).as("seed %d", SEED).isEqualTo(10);
        assertThat(counted("a")).as("seed %d", SEED).isBetween((long) granted, (long) granted + unknown);
    }

    /** The wait ends with success and a warning, which a role may have switched off. */
    @ParameterizedTest
    @ValueSource(strings = {"postgres", "quiet"})
    void waitForTheStandby_cancelled_unknown(String user) throws SQLException {
        PGSimpleDataSource database = database();
        database.setUser(user);
        PostgresLimits patient = open(database, MINUTE);
        standby("'nobody'");
        try {
            CompletableFuture<Long> waiting =
                    CompletableFuture.supplyAsync(() -> patient.tryAcquireOrDelay(key("a", 9, MINUTE), 1));
            while (server.number("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
                            + " WHERE wait_event = 'SyncRep'")
                    == 0) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(waiting::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        } finally {
            standby("DEFAULT");
        }
    }

    /** The database is asked to end a wait, since a session does not notice that its socket timed out. */
    @Test
    void waitForTheStandby_timesOut_sessionEnds() throws SQLException {
        PostgresLimits waiting = open(database(), SECOND);
        standby("'nobody'");
        try {
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(() -> waiting.tryAcquireOrDelay(key("a", 9, MINUTE), 1))
                        .isInstanceOfAny(OutcomeUnknownException.class, NotAcquiredException.class);
            }
            assertThat(server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
                    .isLessThanOrEqualTo(1);
        } finally {
            standby("DEFAULT");
        }
    }

    private static void standby(String names) throws SQLException {
        server.execute("ALTER SYSTEM SET synchronous_standby_names TO " + names);
        server.execute("SELECT pg_reload_conf()");
    }

    @Test
    void interrupted_whileItWaits_unknownAndStillInterrupted() throws Exception {
        try (RowLock lock = new RowLock("a")) {
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    limits.tryAcquireOrDelay(key("a", 1, MINUTE), 1);
                } catch (OutcomeUnknownException e) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                }
            });
            caller.start();
            lock.awaitWaiting();
            caller.interrupt();
            assertThat(interrupted.join()).isTrue();
        }
    }

    @Test
    void close_callWaits_endsWithAnException() throws Exception {
        try (RowLock lock = new RowLock("a")) {
            CompletableFuture<Long> waiting = async(key("a", 1, MINUTE));
            lock.awaitWaiting();
            CompletableFuture<Long> next = async(key("b", 1, MINUTE));
            limits.close();

            assertThatThrownBy(waiting::join)
                    .hasCauseInstanceOf(NotAcquiredException.class)
                    .hasMessageNotContaining("timeout"); // of the lock, for which it would have waited otherwise
            assertThatThrownBy(next::join)
                    .hasCauseInstanceOf(NotAcquiredException.class)
                    .hasMessageContaining("closed");
        }
        assertThatThrownBy(() -> limits.tryAcquireOrDelay(key("a", 1, MINUTE), 1))
                .isInstanceOf(NotAcquiredException.class)
                .hasMessageContaining("closed");
    }

    private CompletableFuture<Long> async(Map<String, Limit> keys) throws InterruptedException {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> answer.completeAsync(() -> limits.tryAcquireOrDelay(keys, 1), Runnable::run));
        caller.start();
        while (caller.getState() != Thread.State.TIMED_WAITING && caller.isAlive()) {
            Thread.onSpinWait();
        }
        return answer;
    }

    /** Returns how many permits the row of a key has acquired. */
    private static long counted(String key) throws SQLException, IOException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT state FROM hotpath_limit WHERE key = '" + key + "'")) {
            row.next();
            SlidingWindowLimiter limiter =
                    SlidingWindowLimiter.readFrom(new DataInputStream(new ByteArrayInputStream(row.getBytes(1))));
            return limiter.limits().get(0).max() - limiter.available(Long.MIN_VALUE / 4);
        }
    }

    /** Locks the row of a key, in a session that looks as if it was paused. */
    private static final class RowLock implements AutoCloseable {
        private final Connection connection = server.dataSource().getConnection();

        RowLock(String key) throws SQLException {
            server.execute("INSERT INTO hotpath_limit VALUES ('" + key + "', '', 0) ON CONFLICT DO NOTHING");
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT FROM hotpath_limit WHERE key = '" + key + "' FOR UPDATE");
            }
        }

        /** Waits until another session waits for the lock. */
        void awaitWaiting() throws SQLException {
            while (server.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 0) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
