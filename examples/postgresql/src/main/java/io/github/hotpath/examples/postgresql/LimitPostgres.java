package io.github.hotpath.examples.postgresql;

import io.github.hotpath.examples.support.Table;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three processes share a limit on PostgreSQL, while one of them and the server are killed. */
public final class LimitPostgres {
    private static final int PERMITS = 100;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final List<String> OUTCOMES = List.of("granted", "refused", "failed", "unknown");

    private final PostgresServer server;
    private final Table table =
            new Table("", "granted", "refused", "failed", "unknown", "grants/s", "bytes of WAL a grant");

    private LimitPostgres(PostgresServer server) {
        this.server = server;
    }

    /** Runs the program. The exit status is 1 if the limit was exceeded. */
    public static void main(String[] arguments) throws Exception {
        boolean isHeld;
        try (PostgresServer server = new PostgresServer().start()) {
            isHeld = new LimitPostgres(server).run();
        }
        System.exit(isHeld ? 0 : 1);
    }

    private boolean run() throws Exception {
        server.execute(PostgresLimits.TABLE);
        try (Clients clients = new Clients(server.url(), TIMEOUT, Long.MAX_VALUE >> 1, INTERVAL, 1_000)) {
            start(clients);
            clients.awaitMore("granted", 2_000); // to warm up
            phase("three processes, no limit", clients, 4_000, () -> {});
        }
        try (Clients clients = new Clients(server.url(), TIMEOUT, PERMITS, INTERVAL, 1)) {
            server.execute("DELETE FROM hotpath_limit");
            start(clients);
            phase("three processes, " + PERMITS + " a second", clients, 3 * PERMITS, () -> {});
            phase("one of them is killed", clients, 3 * PERMITS, clients::killFirst);
            phase("a new one starts", clients, 3 * PERMITS, clients::start);
            phase("the server is killed, and starts again", clients, 3 * PERMITS, () -> {
                server.kill();
                clients.awaitMore("failed", 2);
                server.start();
            });
            long most = Clients.mostWithin(INTERVAL, clients.grants());
            System.out.printf("%s%nmost in any second: %d of %d%n", table, most, PERMITS);
            return most <= PERMITS;
        }
    }

    private static void start(Clients clients) throws Exception {
        for (int i = 0; i < 3; i++) {
            clients.start();
        }
        clients.awaitMore("granted", PERMITS);
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Makes a step, waits for more grants, and adds a row. */
    private void phase(String name, Clients clients, int grants, Step step) throws Exception {
        long begin = System.nanoTime();
        long log = log();
        List<Long> before = OUTCOMES.stream().map(clients::number).toList();
        step.run();
        clients.awaitMore("granted", grants);
        List<Object> row = new ArrayList<>(List.of(name));
        for (int i = 0; i < OUTCOMES.size(); i++) {
            row.add(clients.number(OUTCOMES.get(i)) - before.get(i));
        }
        row.add(grants * 1_000_000_000L / (System.nanoTime() - begin));
        row.add((log() - log) / grants);
        table.add(row.toArray());
    }

    private long log() throws SQLException {
        return server.number("SELECT pg_current_wal_insert_lsn() - '0/0'");
    }
}
