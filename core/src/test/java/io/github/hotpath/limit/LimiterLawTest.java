package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.AtOnce;
import io.github.hotpath.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The law, on threads with the real clock: in no time span of a limit's interval is more granted than the limit. */
@Timeout(120)
class LimiterLawTest {
    private static final int THREADS = 4;
    private static final int CALLS = 50_000;

    private static final Duration MAX_DELAY = Duration.ofNanos(30_000);

    @Test
    void grants_ofLimitsOfBothKinds_neverExceedAny() {
        assertLaw(
                Limit.of(30, Duration.ofNanos(50_000)),
                Limit.ofCalls(8, Duration.ofNanos(20_000)),
                Limit.of(2_000, Duration.ofMillis(5)));
    }

    private static void assertLaw(Limit... limits) {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(List.of(limits));
        List<Client> clients = new ArrayList<>();
        AtOnce threads = new AtOnce();
        for (int i = 0; i < THREADS; i++) {
            Client client = new Client(limiter, Seed.random("law " + limits.length + " " + i));
            clients.add(client);
            threads.on(1, client);
        }
        threads.run();

        List<Grant> grants = new ArrayList<>();
        clients.forEach(client -> grants.addAll(client.grants));
        grants.sort(Comparator.comparingLong(grant -> grant.earliest));
        for (Limit limit : limits) {
            assertThat(most(grants, limit)).as(limit.toString()).isBetween(1L, limit.max());
        }
        Invariants.check(limiter);
    }

    /** Returns the most that was granted in any time span of the limit's interval, as far as times are known. */
    private static long most(List<Grant> grants, Limit limit) {
        long interval = limit.interval().toNanos();
        long most = 0;
        for (int i = 0; i < grants.size(); i++) {
            long end = grants.get(i).earliest + interval;
            long sum = 0;
            for (int j = i; j < grants.size() && grants.get(j).earliest <= end; j++) {
                sum += grants.get(j).latest <= end ? grants.get(j).counted(limit) : 0;
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    /**
     * What was granted at some time from {@code earliest} to {@code latest}. A request that was overtaken counts at the
     * time of the one that overtook it, which had read the clock before this one returned.
     */
    private record Grant(long earliest, long latest, int permits) {
        long counted(Limit limit) {
            return limit.isPerCall() ? 1 : permits;
        }
    }

    /** Makes requests of every kind. */
    private static final class Client implements Runnable {
        final List<Grant> grants = new ArrayList<>();
        private final SlidingWindowLimiter limiter;
        private final SplittableRandom random;

        Client(SlidingWindowLimiter limiter, SplittableRandom random) {
            this.limiter = limiter;
            this.random = random;
        }

        @Override
        public void run() {
            for (int call = 0; call < CALLS; call++) {
                int permits = random.nextInt(4) == 0 ? 1 + random.nextInt(10) : 1;
                long nanos = System.nanoTime() - (random.nextInt(16) == 0 ? random.nextInt(100_000) : 0);
                switch (random.nextInt(32)) {
                    case 0 -> reserve(nanos, permits);
                    case 1, 2, 3, 4, 5, 6, 7, 8, 9 ->
                        log(limiter.tryAcquireOrDelay(nanos, permits) == 0, nanos, permits);
                    default -> log(limiter.tryAcquire(nanos, permits), nanos, permits);
                }
            }
        }

        private void log(boolean granted, long nanos, int permits) {
            if (granted) {
                grants.add(new Grant(nanos, System.nanoTime(), permits));
            }
        }

        private void reserve(long nanos, int permits) {
            Reservation reservation = limiter.reserve(nanos, permits, MAX_DELAY);
            if (reservation.isGranted()) {
                long slot = nanos + reservation.delayNanos();
                grants.add(new Grant(slot, slot > nanos ? slot : System.nanoTime(), permits));
            }
        }
    }
}
