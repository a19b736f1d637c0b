package io.github.hotpath.examples.postgresql;

import io.github.hotpath.examples.postgresql.PostgresLimits.NotAcquiredException;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** A process whose threads ask for permits until it is killed or its input ends, and prints each outcome. */
final class Client {
    private static final int THREADS = 4;

    private Client() {}

    /** Takes the URL of the database, milliseconds of the timeout, the limit, milliseconds of its interval, and keys. */
    public static void main(String[] arguments) throws IOException {
        String url = arguments[0];
        Duration timeout = Duration.ofMillis(Long.parseLong(arguments[1]));
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        PostgresLimits limits = new PostgresLimits(database, timeout);

        Limit limit = Limit.of(Long.parseLong(arguments[2]), Duration.ofMillis(Long.parseLong(arguments[3])));
        int keys = Integer.parseInt(arguments[4]);
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            Thread thread = new Thread(() -> {
                while (true) {
                    int user = random.nextInt(keys);
                    long begin = System.nanoTime();
                    String outcome = ask(limits, user, limit);
                    System.out.println(outcome + " " + user + " " + begin + " " + System.nanoTime());
                    if (!outcome.equals("granted")) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        System.in.read();
    }

    private static String ask(PostgresLimits limits, int user, Limit limit) {
        try {
            PostgresLimits.Answer answer =
                    limits.decide(Map.of("user:" + user, limit), 1).join();
            return answer.delayNanos() == 0 ? "granted" : "refused";
        } catch (CompletionException e) {
            return e.getCause() instanceof NotAcquiredException ? "failed" : "unknown";
        }
    }
}
