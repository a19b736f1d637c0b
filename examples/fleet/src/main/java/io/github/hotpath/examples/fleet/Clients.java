package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.GrantLog.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients of a member, each a thread with a log of its own, that acquire permits as fast as they can. */
final class Clients {
    private static final int GRANTS = 5_000_000; // of the file, which takes no more room than is written
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final FleetLimiter limiter;
    private final List<GrantLog> logs = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** Starts clients that each choose one of the keys at random for each call. */
    Clients(FleetLimiter limiter, int keys, int clients, Path dir, String name) throws IOException {
        this.limiter = limiter;
        for (int i = 0; i < clients; i++) {
            GrantLog log = GrantLog.create(dir.resolve(name + '-' + i + ".log"), GRANTS);
            SplittableRandom random = new SplittableRandom(name.hashCode() + i);
            logs.add(log);
            threads.add(new Thread(() -> run(log, keys, random), name + '-' + i));
        }
        threads.forEach(Thread::start);
    }

    private void run(GrantLog log, int keys, SplittableRandom random) {
        while (!stopped && !log.isFull()) {
            if (call(limiter, random.nextInt(keys), log) != Outcome.GRANTED) {
                if (log == logs.get(0)) {
                    log.setRefusedLocally(limiter.refusedLocally());
                }
                LockSupport.parkNanos(PAUSE_NANOS); // so that the other members have a processor
            }
        }
    }

    /** Makes one call and adds it to the log. */
    static Outcome call(FleetLimiter limiter, int key, GrantLog log) {
        long begin = System.nanoTime();
        Outcome outcome;
        try {
            outcome = limiter.tryAcquire(name(key), 1) ? Outcome.GRANTED : Outcome.REFUSED;
        } catch (OutcomeUnknownException e) {
            outcome = Outcome.UNKNOWN;
        }
        log.add(outcome, key, begin, System.nanoTime());
        return outcome;
    }

    /** Returns the name of the key of that number. */
    static String name(int key) {
        return "client-" + key;
    }

    /** Stops the clients, and waits for their last calls. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
