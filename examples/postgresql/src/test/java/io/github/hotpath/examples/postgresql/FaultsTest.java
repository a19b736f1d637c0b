package io.github.hotpath.examples.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes and servers that are killed while permits are acquired: the limit holds by the times of the calls. */
@Tag("slow")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // for what hangs
class FaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long SEED = Long.getLong("hotpath.seed", 66);

    @Test
    void processesSessionsAndServerKilled_limitHolds() throws Exception {
        Random random = new Random(SEED);
        try (PostgresServer server = new PostgresServer().start();
                Clients clients = new Clients(server.url(), SECOND, 60, SECOND, 3)) {
            server.execute(PostgresLimits.TABLE);
            for (int i = 0; i < 3; i++) {
                clients.start();
            }
            for (int i = 0; i < 12; i++) {
                clients.awaitMore("granted", 1 + random.nextInt(60));
                switch (i % 3) {
                    case 0 -> {
                        clients.killFirst();
                        clients.start();
                    }
                    case 1 ->
                        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
                    default -> {
                        server.kill();
                        server.start();
                    }
                }
            }
            clients.awaitMore("granted", 200);

            assertThat(Clients.mostWithin(SECOND, clients.grants()))
                    .as("seed %d", SEED)
                    .isBetween(30L, 60L);
        }
    }

    /** What was granted while the standby was behind is not told: otherwise the standby would grant it again. */
    @Test
    void primaryKilled_synchronousStandbyPromoted_limitHolds() throws Exception {
        try (PostgresServer primary = new PostgresServer("synchronous_standby_names = 'standby'");
                PostgresServer standby = new PostgresServer(primary, "standby", "synchronous_standby_names = ''");
                Clients clients = new Clients(url(primary, standby), SECOND, 300, HOUR, 1)) {
            start(primary, standby);
            for (int i = 0; i < 3; i++) {
                clients.start();
            }
            clients.awaitMore("granted", 100);
            long receiver = standby.number("SELECT pid FROM pg_stat_wal_receiver");
            signal("STOP", receiver);
            clients.awaitMore("unknown", 6);
            primary.kill();
            signal("CONT", receiver);
            standby.execute("SELECT pg_promote()");
            clients.awaitMore("refused", 12);

            for (int i = 0; i < 1_000 && told(clients) < 300; i++) { // a process may be late to tell of a grant
                clients.awaitMore("refused", 1);
            }
            assertThat(told(clients)).isGreaterThanOrEqualTo(300);
            assertThat(clients.number("granted")).isLessThanOrEqualTo(300);
        }
    }

    @Test
    void standbyPromoted_itsClockIsAhead_limitHolds() throws Exception {
        String clock = "hotpath.ahead = ";
        String path = "search_path = 'public, pg_catalog'"; // finds the clock of the test first
        Duration interval = Duration.ofSeconds(5);
        try (PostgresServer primary =
                        new PostgresServer("synchronous_standby_names = 'standby'", path, clock + "'0s'");
                PostgresServer standby =
                        new PostgresServer(primary, "standby", "synchronous_standby_names = ''", clock + "'30s'");
                Clients clients = new Clients(url(primary, standby), SECOND, 100, interval, 1)) {
            start(primary, standby);
            primary.execute("CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                    + " $$ SELECT pg_catalog.clock_timestamp() + current_setting('hotpath.ahead')::interval $$");
            for (int i = 0; i < 3; i++) {
                clients.start();
            }
            clients.await("first answer", 3); // one that has not read the first clock would accept the second
            clients.await("granted", 100);
            primary.kill();
            standby.execute("SELECT pg_promote()");
            clients.awaitMore("granted", 100);

            assertThat(Clients.mostWithin(interval, clients.grants())).isBetween(90L, 100L);
        }
    }

    /** The session that waits is cancelled, and used again; a socket that timed out would leave it, each time one. */
    @Test
    void standbyHangs_sessionsDoNotPileUp() throws Exception {
        try (PostgresServer primary = new PostgresServer("synchronous_standby_names = 'standby'");
                PostgresServer standby = new PostgresServer(primary, "standby");
                Clients clients = new Clients(primary.url(), SECOND, 1_000_000, HOUR, 1)) {
            start(primary, standby);
            for (int i = 0; i < 3; i++) {
                clients.start();
            }
            clients.awaitMore("granted", 100);
            long receiver = standby.number("SELECT pid FROM pg_stat_wal_receiver");
            signal("STOP", receiver);
            clients.awaitMore("unknown", 60); // at least 5 times of all 12 threads
            assertThat(primary.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
                    .isLessThanOrEqualTo(3);
            signal("CONT", receiver);
            clients.awaitMore("granted", 100);
        }
    }

    private static long told(Clients clients) {
        return clients.number("granted") + clients.number("unknown");
    }

    /** Returns the URL of whichever of the two servers is the primary. */
    private static String url(PostgresServer one, PostgresServer other) {
        return "jdbc:postgresql://127.0.0.1:" + one.port() + ",127.0.0.1:" + other.port()
                + "/postgres?user=postgres&targetServerType=primary";
    }

    private static void start(PostgresServer primary, PostgresServer standby) throws Exception {
        primary.start();
        standby.start();
        while (primary.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 0) {
            Thread.onSpinWait();
        }
        primary.execute(PostgresLimits.TABLE);
    }

    private static void signal(String name, long pid) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    }
}
