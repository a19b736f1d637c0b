package io.github.hotpath.examples.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.hotpath.examples.postgresql.PostgresLimits.NotAcquiredException;
import io.github.hotpath.examples.postgresql.PostgresLimits.OutcomeUnknownException;
import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
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
import java.util.LinkedHashMap;
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

    private static PostgresServer server;

    private final List<PostgresLimits> opened = new ArrayList<>();
    private final AtomicLong nanoTime = new AtomicLong(-5_000_000_000L); // also of this machine
    private long micros = 1_800_000_000_000_000L;
    private PostgresLimits limits;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = new PostgresServer("fsync = off").start();
        server.execute(PostgresLimits.TABLE);
        server.execute("""
                CREATE TABLE clock (now timestamptz);
                INSERT INTO clock VALUES (now());
                CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
                    AS 'SELECT now FROM public.clock';
                CREATE FUNCTION public.statement_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
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
        PostgresLimits one = new PostgresLimits(database, timeout);
        one.nanoTime = nanoTime::get;
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

    /** Waits for the answer, and returns its delay. */
    private static long delay(PostgresLimits limits, Map<String, Limit> keys, int permits) {
        try {
            return limits.decide(keys, permits).join().delayNanos();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private long delay(Map<String, Limit> keys, int permits) {
        return delay(limits, keys, permits);
    }

    private static Map<String, Limit> key(String key, long permits, Duration interval) {
        return Map.of(key, Limit.of(permits, interval));
    }

    @Test
    void decide_limitReached_refusedUntilTheOldestHasExpired() throws SQLException {
        Map<String, Limit> twoInASecond = key("a", 2, SECOND);

        assertThat(delay(twoInASecond, 1)).isZero();
        advance(400_000);
        assertThat(delay(open(), twoInASecond, 1)).isZero(); // by another process
        long delay = delay(twoInASecond, 1);
        assertThat(delay).isEqualTo(600_999_001); // to the end of its tick of 1 ms, and the window is closed
        advance(delay / 1_000);
        assertThat(delay(twoInASecond, 1)).isEqualTo(1);
        advance(1);
        assertThat(delay(twoInASecond, 1)).isZero();
    }

    @Test
    void decide_specialLimits() {
        assertThat(delay(Map.of(), 7)).isZero();
        assertThat(delay(key("none", 0, MINUTE), 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(delay(key("few", 2, MINUTE), 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(delay(key("long", 2, Duration.ofNanos(1L << 61)), 1)).isZero();
        assertThat(delay(key("short", 1, Duration.ZERO), 1)).isZero();
        assertThat(delay(key("short", 1, Duration.ZERO), 1)).isEqualTo(1);
        Map<String, Limit> oneCall = Map.of("calls", Limit.ofCalls(1, MINUTE));
        assertThat(delay(oneCall, 1_000)).isZero();
        assertThat(delay(oneCall, 1)).isPositive();
    }

    @Test
    void decide_severalKeys_allOrNothing() {
        assertThat(delay(key("b", 1, MINUTE), 1)).isZero();
        Map<String, Limit> both = Map.of("a", Limit.of(1, MINUTE), "b", Limit.of(1, MINUTE));

        assertThat(delay(both, 1)).isPositive();
        assertThat(delay(key("a", 1, MINUTE), 1)).isZero();
    }

    /** No span of an interval has more than the limit; and none is refused that it would have room for, to a tick. */
    @Test
    void decide_randomCalls_exactToATick() throws SQLException {
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
            long delay = delay(processes.get(random.nextInt(2)), asked, permits);
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
    void decide_manyGrantsInATick_shareAnEntry() throws SQLException {
        Map<String, Limit> many = key("a", 1_000_000, SECOND);
        for (int i = 0; i < 90; i++) {
            assertThat(delay(many, 1)).isZero();
            advance(10);
        }
        assertThat(server.number("SELECT length(state) FROM hotpath_limit"))
                .isLessThan(60); // 90 entries would take more
    }

    /** A row has an entry for a tick of its own limit, though another limit of the request has shorter ones. */
    @Test
    void decide_keysOfDifferentTicks_eachHasItsOwn() throws SQLException {
        Map<String, Limit> both =
                Map.of("day", Limit.of(1_000_000, Duration.ofDays(1)), "second", Limit.of(1_000, SECOND));
        for (int i = 0; i < 90; i++) {
            assertThat(delay(both, 1)).isZero();
            advance(1_500);
        }
        assertThat(server.number("SELECT length(state) FROM hotpath_limit WHERE key = 'day'"))
                .isLessThan(60); // 90 entries would take more
    }

    @Test
    void decide_severalKeys_tellsWhatIsLeftOfEach() throws SQLException {
        Map<String, Limit> both = new LinkedHashMap<>();
        both.put("z", Limit.of(2, MINUTE));
        both.put("b", Limit.ofCalls(5, SECOND));
        PostgresLimits.Answer granted = limits.decide(both, 2).join();
        assertThat(granted.quotas())
                .containsExactly(
                        entry("z", new Quota(both.get("z"), 0, 60_059_999_001L, false)),
                        entry("b", new Quota(both.get("b"), 4, 1_000_999_001, false)));
        advance(400_000);

        PostgresLimits.Answer refused = limits.decide(both, 1).join();

        assertThat(refused.delayNanos()).isEqualTo(59_659_999_001L);
        assertThat(refused.quotas())
                .containsExactly(
                        entry("z", new Quota(both.get("z"), 0, 59_659_999_001L, true)),
                        entry("b", new Quota(both.get("b"), 4, 600_999_001, false)));
    }

    @Test
    void decide_anotherLimit_holdsFromThenOn() throws SQLException {
        delay(key("a", 5, MINUTE), 5);

        assertThat(delay(key("a", 6, MINUTE), 1)).isZero();
        assertThat(delay(key("a", 4, MINUTE), 1)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "\ud83d"})
    void decide_keyIsNoText_rejected(String key) {
        assertThatThrownBy(() -> delay(key(key, 1, SECOND), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key: " + key + " (expected: at most 500 characters of Unicode, none of them 0)");
    }

    @Test
    void decide_badArguments_rejected() {
        assertThatThrownBy(() -> delay(key("a".repeat(501), 1, SECOND), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("key: aaa");
        assertThatThrownBy(() -> delay(key("a", 1, SECOND), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("permits: 0 (expected: at least 1)");
        for (String timeout : List.of("PT0.0009S", "PT1M0.001S")) {
            assertThatThrownBy(() -> new PostgresLimits(database(), Duration.parse(timeout)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("timeout: " + timeout + " (expected: from 1 ms to 1 min)");
        }
        assertThat(delay(key("\ud83d\ude00".repeat(250), 1, SECOND), 1)).isZero();
    }

    // The clock

    /** What was granted before counts as long as it would have; nothing else is refused. */
    @Test
    void clock_wentAhead_grantsCountForAsMuchLonger() throws SQLException {
        Map<String, Limit> perDay = key("day", 5, Duration.ofDays(1));
        delay(perDay, 3);
        micros += 200_000_000; // but not the time of this machine, or it was suspended
        setClock();

        assertThat(delay(perDay, 1)).isZero();
        assertThat(delay(perDay, 2)).isPositive();
        advance(86_400_000_000L + 86_400_000 - 100_000_000); // a day, and a tick that a grant counts longer
        assertThat(delay(perDay, 2)).isPositive(); // for the database, those before have expired
        advance(100_000_000);
        assertThat(delay(perDay, 5)).isZero();
    }

    @Test
    void clock_wentAheadByYears_refusedForTheIntervalAtMost() throws SQLException {
        Map<String, Limit> perMinute = key("minute", 5, MINUTE);
        Map<String, Limit> perSecond = key("second", 5, SECOND);
        delay(perMinute, 5);
        delay(perSecond, 5);
        micros += 3 * 366 * 86_400_000_000L;
        setClock();

        assertThat(delay(perMinute, 1)).isPositive();
        assertThat(delay(perSecond, 1)).isPositive();
        advance(1_000_000);
        assertThat(delay(perSecond, 1)).isPositive();
        advance(1_000);
        assertThat(delay(perSecond, 5)).isZero();
        assertThat(delay(perMinute, 1)).isPositive();
        advance(60_060_000 - 1_001_000);
        assertThat(delay(perMinute, 5)).isZero();
    }

    @Test
    void clock_goesAheadByLittle_noticedWhenItIsTooMuch() throws SQLException {
        Map<String, Limit> three = key("a", 3, MINUTE);
        delay(three, 3);
        for (int i = 0; i < 5; i++) {
            micros += 25_000;
            setClock();
            assertThat(delay(three, 1)).isPositive();
            advance(1_000_000);
        }
        advance(60_060_000 - 125_000 - 5_000_000);
        assertThat(delay(three, 1)).isPositive();
        advance(225_000);
        assertThat(delay(three, 3)).isZero();
    }

    @Test
    void clock_drifts_tolerated() throws SQLException {
        Map<String, Limit> many = key("a", 1_000, MINUTE);
        for (int i = 0; i < 10; i++) {
            assertThat(delay(many, 1)).isZero();
            nanoTime.addAndGet(Duration.ofHours(1).toNanos());
            micros += Duration.ofHours(1).toMillis() * 1_000 + 3_599_000; // a thousandth more
            setClock();
        }
    }

    @Test
    void clock_goesBack_waits() throws SQLException {
        Map<String, Limit> one = key("a", 1, SECOND);
        delay(one, 1);
        micros -= 30_000_000;
        setClock();

        assertThat(delay(one, 1)).isEqualTo(31_000_999_001L);
    }

    // Rows

    @Test
    void damagedRow_sameTransaction_failsItsOwnAttempts() throws Exception {
        server.execute("INSERT INTO hotpath_limit VALUES ('damaged', 'no state', 0)");
        CompletableFuture<PostgresLimits.Answer> blocked;
        CompletableFuture<PostgresLimits.Answer> damaged;
        CompletableFuture<PostgresLimits.Answer> good;
        try (RowLock lock = new RowLock("blocked")) {
            blocked = limits.decide(key("blocked", 1, MINUTE), 1);
            lock.awaitWaiting();
            damaged = limits.decide(Map.of("damaged", Limit.of(1, MINUTE), "good", Limit.of(1, MINUTE)), 1);
            good = limits.decide(key("good", 1, MINUTE), 1);
        }

        assertThat(blocked.join().delayNanos()).isZero();
        assertThatThrownBy(damaged::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotAcquiredException.class)
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(good.join().delayNanos()).isZero();
    }

    /** An open transaction of somebody else has locked a row: those who ask for others are answered. */
    @Test
    void lockedRow_stopsItsOwnKeyAlone() throws Exception {
        PostgresLimits impatient = open(database(), Duration.ofSeconds(4));
        assertThat(delay(impatient, key("free", 99, MINUTE), 1)).isZero();
        RowLock lock = new RowLock("locked");
        CompletableFuture<PostgresLimits.Answer> stuck = impatient.decide(key("locked", 1, MINUTE), 1);
        lock.awaitWaiting();
        CompletableFuture<PostgresLimits.Answer> waiting = limits.decide(key("locked", 1, MINUTE), 1); // for longer
        assertThat(delay(impatient, key("free", 99, MINUTE), 1)).isZero();
        assertThatThrownBy(stuck::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        for (int i = 0; i < 10; i++) {
            assertThat(delay(impatient, key("free" + i, 99, MINUTE), 1)).isZero();
        }
        lock.close();
        assertThat(waiting.join().delayNanos()).isZero();
    }

    private static int deleteIdle() throws SQLException {
        try (Connection connection = database().getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(PostgresLimits.DELETE_IDLE);
        }
    }

    @Test
    void deleteIdle_onlyRowsInWhichNothingCounts() throws SQLException {
        delay(key("minute", 1, MINUTE), 1);
        delay(key("hour", 1, Duration.ofHours(1)), 1);
        assertThat(deleteIdle()).isZero();
        advance(60_060_000);
        assertThat(deleteIdle()).isZero();
        advance(121_000_000);

        assertThat(deleteIdle()).isEqualTo(1);
        assertThat(delay(key("minute", 1, MINUTE), 1)).isZero();
        assertThat(delay(key("hour", 1, Duration.ofHours(1)), 1)).isPositive();
    }

    @Test
    void deleteIdle_usesItsIndex() throws SQLException {
        server.execute("INSERT INTO hotpath_limit SELECT i, '', 1 + i FROM generate_series(1, 5000) AS i");
        server.execute("ANALYZE hotpath_limit");
        try (Connection connection = server.dataSource().getConnection(); // with the clock of the database
                Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("EXPLAIN " + PostgresLimits.DELETE_IDLE)) {
            List<String> plan = new ArrayList<>();
            while (lines.next()) {
                plan.add(lines.getString(1));
            }
            assertThat(plan).anyMatch(line -> line.contains("Index Cond: (expires < "));
        }
    }

    @Test
    void deleteIdle_lockedRow_leftAlone() throws Exception {
        delay(key("a", 1, SECOND), 1);
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

        assertThatThrownBy(() -> delay(none, key("a", 1, SECOND), 1))
                .isInstanceOf(NotAcquiredException.class)
                .hasMessageStartingWith("keys: [a] (expected: a database that can grant): ");
    }

    @Test
    void sessionTerminated_nextCallIsGranted() throws SQLException {
        delay(key("a", 9, MINUTE), 1);
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                + " AND backend_type = 'client backend'");

        assertThat(delay(key("a", 9, MINUTE), 1)).isZero();
    }

    @Test
    void processPaused_betweenItsStatements_othersGoOn() throws Exception {
        Map<String, Limit> nine = key("a", 9, MINUTE);
        try (Proxy proxy = new Proxy(server.port())) {
            PostgresLimits paused = open(proxied(proxy), SECOND);
            assertThat(delay(paused, nine, 1)).isZero();
            proxy.holdBefore("UPDATE hotpath_limit");

            assertThatThrownBy(() -> delay(paused, nine, 1)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(delay(nine, 8)).isZero(); // its lock is released, and nothing has counted
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
                assertThatThrownBy(() -> delay(hanging, key("a", 9, MINUTE), 1))
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
            assertThatThrownBy(() -> delay(hanging, key("a", 9, MINUTE), 1))
                    .isInstanceOfAny(NotAcquiredException.class, OutcomeUnknownException.class);
            proxy.holdBefore("nothing"); // on other connections
            assertThat(IntStream.range(0, 100)).anyMatch(call -> isGranted(hanging));
        }
    }

    private static boolean isGranted(PostgresLimits limits) {
        try {
            return delay(limits, key("a", 9, MINUTE), 1) == 0;
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
                                    assertThat(delay(process, keys, 1)).isZero();
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
                    granted += delay(cut, many, 1) == 0 ? 1 : 0;
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
            CompletableFuture<PostgresLimits.Answer> waiting = patient.decide(key("a", 1000, MINUTE), 1);
            while (server.number("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
                            + " WHERE wait_event = 'SyncRep'")
                    == 0) {
                if (waiting.isDone()) { // before the server had read the setting
                    waiting = patient.decide(key("a", 1000, MINUTE), 1);
                }
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
                assertThatThrownBy(() -> delay(waiting, key("a", 9, MINUTE), 1))
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
    void close_callWaits_endsWithAnException() throws Exception {
        try (RowLock lock = new RowLock("a")) {
            CompletableFuture<PostgresLimits.Answer> waiting = limits.decide(key("a", 1, MINUTE), 1);
            lock.awaitWaiting();
            CompletableFuture<PostgresLimits.Answer> next = limits.decide(key("b", 1, MINUTE), 1);
            limits.close();

            assertThatThrownBy(waiting::join)
                    .hasCauseInstanceOf(NotAcquiredException.class)
                    .hasMessageNotContaining("timeout"); // of the lock, for which it would have waited otherwise
            assertThatThrownBy(next::join)
                    .hasCauseInstanceOf(NotAcquiredException.class)
                    .hasMessageContaining("closed");
        }
        assertThatThrownBy(() -> delay(key("a", 1, MINUTE), 1))
                .isInstanceOf(NotAcquiredException.class)
                .hasMessageContaining("closed");
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
