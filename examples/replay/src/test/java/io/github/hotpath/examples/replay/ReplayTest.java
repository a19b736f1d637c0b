package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
    private static final long SECOND = 1_000_000_000;
    private static final List<Duration> INTERVALS = List.of(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static Replay replay(String... candidates) {
        return new Replay(List.of(candidates).stream().map(Candidate::parse).toList(), INTERVALS);
    }

    private static Refusals refusals(Replay replay) {
        Refusals all = new Refusals();
        replay.clients().forEach(client -> all.addAll(client.refusals[0]));
        return all;
    }

    private static Client client(Replay replay, String key) {
        return replay.clients().stream()
                .filter(client -> client.key.equals(key))
                .findAny()
                .orElseThrow();
    }

    @Test
    void add_oneClient_isRefusedForTheExactTime() {
        Replay replay = replay("2/10s");

        for (double seconds : new double[] {0, 4, 9, 10.5}) {
            replay.add("a", (long) (seconds * SECOND), 1);
        }
        replay.finish();

        Client client = client(replay, "a");
        assertThat(client.refused(0)).isEqualTo(1);
        assertThat(refusals(replay).waits.getMax()).isEqualTo(SECOND + 1); // at 10 s, the first one still counts
        assertThat(refusals(replay).waits.getAverage()).isEqualTo(SECOND + 1);
        assertThat(client.busiest).containsExactly(3, 4);
        assertThat(client.requests).isEqualTo(4);
    }

    @Test
    void add_morePermitsThanTheLimit_areNeverGranted() {
        Replay replay = replay("5/10s");

        replay.add("a", 0, 6);
        replay.add("a", 0, 5);
        replay.add("a", 0, 1);
        replay.finish();

        assertThat(refusals(replay).neverGranted).isEqualTo(1);
        assertThat(refusals(replay).number()).isEqualTo(2);
        assertThat(refusals(replay).waits.getAverage()).isEqualTo(10 * SECOND + 1);
        assertThat(client(replay, "a").busiest).containsExactly(12, 12);
        assertThat(replay.permits).isEqualTo(12);
    }

    @Test
    void add_permitsAfterRequests_areCountedWithThem() {
        Replay replay = replay();
        replay.add("a", 0, 1);
        replay.add("a", 20 * SECOND, 1);

        replay.add("a", 25 * SECOND, 7);
        replay.add("a", 26 * SECOND, 1);
        replay.finish();

        assertThat(client(replay, "a").busiest).containsExactly(9, 10);
    }

    @Test
    void add_timesThatGoBack_areCountedAndInOrder() {
        Replay replay = replay("1/10s");

        replay.add("a", 100 * SECOND, 1);
        replay.add("b", 97 * SECOND, 1);
        replay.add("a", 99 * SECOND, 1);
        replay.add("a", 159 * SECOND, 1); // those of 99 s may still come
        replay.add("a", 98 * SECOND, 1);
        replay.finish();

        assertThat(replay.late).isEqualTo(3);
        assertThat(replay.latestLateNanos).isEqualTo(61 * SECOND);
        assertThat(replay.firstNanos).isEqualTo(97 * SECOND);
        assertThat(replay.latestNanos).isEqualTo(159 * SECOND);
        assertThat(client(replay, "b").refused(0)).isZero();
        assertThat(client(replay, "a").refused(0)).isEqualTo(2);
        assertThat(refusals(replay).waits.getMax()).isEqualTo(9 * SECOND + 1); // from 99 s until after 108 s
    }

    @Test
    void add_overAMinuteLate_isEvaluatedAsInALimiter() {
        Replay replay = replay("1/10s");
        replay.add("a", 100 * SECOND, 1);
        replay.add("b", 161 * SECOND, 1);

        replay.add("a", 95 * SECOND, 1);

        assertThat(refusals(replay).waits.getMax()).isEqualTo(15 * SECOND + 1); // from 95 s until after 110 s
    }

    /** A request of a log. */
    private record Entry(String key, long nanos, int permits) {}

    /** Clients come and go, so that limiters are evicted. Times are in order. */
    private static List<Entry> randomLog(SplittableRandom random, int mostPermits) {
        List<Entry> log = new ArrayList<>();
        long nanos = random.nextLong(SECOND * 1_000_000);
        for (int i = 0; i < 60_000; i++) {
            nanos += random.nextInt(20) == 0 ? random.nextLong(SECOND / 10) : 0;
            int present = i / 50; // of 3000 clients ten are active at a time, and some come back
            int client = random.nextInt(200) == 0 ? random.nextInt(3000) : present + random.nextInt(10);
            log.add(new Entry("client " + client, nanos, 1 + random.nextInt(mostPermits)));
        }
        return log;
    }

    /** A limiter for each client that is never evicted, and times that are in order. */
    @ParameterizedTest
    @CsvSource({"0,1", "0,3", "2000000000,1", "2000000000,3", "59000000000,1"})
    void add_randomLog_hasTheAnswersOfLimitersThatStay(long lateness, int mostPermits) {
        long seed = Long.getLong("hotpath.seed", 5) + lateness + mostPermits;
        Replay replay = replay("9/1s,12/3s");
        Map<String, NaiveLimits> limits = new HashMap<>();
        Map<String, Refusals> expected = new HashMap<>();

        SplittableRandom random = new SplittableRandom(seed);
        List<Entry> log = randomLog(random, mostPermits);
        Map<Entry, Long> late = new IdentityHashMap<>();
        log.forEach(entry -> late.put(entry, entry.nanos + random.nextLong(lateness + 1)));
        log.sort(Comparator.comparing(late::get));
        log.forEach(entry -> replay.add(entry.key, entry.nanos, entry.permits));
        replay.finish();
        log.sort(Comparator.comparing(Entry::nanos));
        for (Entry entry : log) {
            if (!limits.computeIfAbsent(entry.key, key -> new NaiveLimits()).tryAcquire(entry.nanos, entry.permits)) {
                expected.computeIfAbsent(entry.key, key -> new Refusals()).add(1);
            }
        }

        assertThat(expected).as("seed %d", seed).hasSizeGreaterThan(100);
        assertSame(replay, expected, seed);
    }

    private static void assertSame(Replay replay, Map<String, Refusals> expected, long seed) {
        assertThat(replay.clients())
                .allSatisfy(client -> assertThat(client.refused(0))
                        .as("seed %d, %s", seed, client.key)
                        .isEqualTo(expected.getOrDefault(client.key, new Refusals())
                                .number()));
        assertThat(replay.clients().stream().filter(client -> client.refused(0) > 0))
                .hasSize(expected.size());
    }

    /** Counts what was granted, again for each request: 9 in a second, 12 in three. */
    private static final class NaiveLimits {
        private final List<Entry> granted = new ArrayList<>();
        private long latest = Long.MIN_VALUE;

        boolean tryAcquire(long nanos, int permits) {
            long time = Math.max(nanos, latest);
            boolean isGranted = sum(time, SECOND) + permits <= 9 && sum(time, 3 * SECOND) + permits <= 12;
            if (isGranted) {
                granted.add(new Entry("", time, permits));
                latest = time;
            }
            return isGranted;
        }

        private long sum(long time, long interval) {
            return granted.stream()
                    .filter(entry -> time - entry.nanos <= interval)
                    .mapToLong(Entry::permits)
                    .sum();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void add_randomLog_hasTheBusiestIntervalsOfANaiveCount(int mostPermits) {
        long seed = Long.getLong("hotpath.seed", 6) + mostPermits;
        Replay replay = replay("9/1s");
        Map<String, List<Entry>> all = new HashMap<>();

        for (Entry entry : randomLog(new SplittableRandom(seed), mostPermits)) {
            replay.add(entry.key, entry.nanos, entry.permits);
            all.computeIfAbsent(entry.key, key -> new ArrayList<>()).add(entry);
        }
        replay.finish();

        all.forEach((key, entries) -> {
            for (int i = 0; i < INTERVALS.size(); i++) {
                long interval = INTERVALS.get(i).toNanos();
                long busiest = entries.stream()
                        .mapToLong(end -> entries.stream()
                                .filter(e -> e.nanos <= end.nanos && end.nanos - e.nanos <= interval)
                                .mapToLong(Entry::permits)
                                .sum())
                        .max()
                        .orElseThrow();
                assertThat(client(replay, key).busiest[i]).as("seed %d", seed).isEqualTo(busiest);
            }
        });
    }

    /** What the suggestion rests on. */
    @Test
    void add_randomLog_refusesThoseWhoseBusiestIntervalIsOverTheLimit() {
        long seed = Long.getLong("hotpath.seed", 8);
        Replay replay = replay("14/10s");

        for (Entry entry : randomLog(new SplittableRandom(seed), 3)) {
            replay.add(entry.key, entry.nanos, entry.permits);
        }
        replay.finish();

        assertThat(replay.clients())
                .as("seed %d", seed)
                .allMatch(client -> (client.busiest[0] > 14) == (client.refused(0) > 0))
                .anyMatch(client -> client.busiest[0] > 14)
                .anyMatch(client -> client.busiest[0] == 14);
    }
}
