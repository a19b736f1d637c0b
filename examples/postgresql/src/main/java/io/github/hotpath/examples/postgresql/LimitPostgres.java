package io.github.hotpath.examples.postgresql;

import io.github.hotpath.examples.support.Table;
import java.time.Duration;
import java.util.Locale;

/** Three processes share a limit on PostgreSQL, while one of them and the server are killed. */
public final class LimitPostgres {
    private static final int PERMITS = 100;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Table table = new Table(1, "", "granted", "refused", "failed", "unknown", "grants/s");

    private LimitPostgres() {}

    /** Runs the program. The exit status is 1 if the limit was exceeded. */
    public static void main(String[] arguments) throws Exception {
        System.exit(new LimitPostgres().run() ? 0 : 1);
    }

    private boolean run() throws Exception {
        try (ServerProcess server = new ServerProcess().start()) {
            server.execute(PostgresLimits.TABLE);
            String url = server.url();
            try (Clients clients = new Clients(url, TIMEOUT, Long.MAX_VALUE >> 1, INTERVAL, 1_000)) {
                start(clients);
                clients.awaitMore("granted", 2_000); // to warm up
                phase("three processes, no limit", clients, 4_000, () -> {});
            }
            try (Clients clients = new Clients(url, TIMEOUT, PERMITS, INTERVAL, 1)) {
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
                long most = clients.grants().most(INTERVAL.toNanos());
                System.out.printf("%s%nmost in any second: %d of %d%n", table, most, PERMITS);
                return most <= PERMITS;
            }
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
        String[] outcomes = {"granted", "refused", "failed", "unknown"};
        String[] row = new String[outcomes.length + 2];
        row[0] = name;
        long begin = System.nanoTime();
        for (int i = 0; i < outcomes.length; i++) {
            row[i + 1] = Long.toString(clients.number(outcomes[i]));
        }
        step.run();
        clients.awaitMore("granted", grants);
        for (int i = 0; i < outcomes.length; i++) {
            row[i + 1] = format(clients.number(outcomes[i]) - Long.parseLong(row[i + 1]));
        }
        row[outcomes.length + 1] = format(grants * 1_000_000_000L / (System.nanoTime() - begin));
        table.add(row);
    }

    private static String format(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
