package io.github.hotpath.examples.benchmarks;

import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The times at which limiters to 60 requests a minute grant the requests of one client: none for a while, then four a
 * second. No clock is read, so each run is the same.
 */
record Burst(Map<Burst.Kind, long[]> grantedMillis) {
    static final int LIMIT = 60;
    static final Duration INTERVAL = Duration.ofMinutes(1);

    /** The name of the file with the times. */
    static final String FILE = "burst.txt";

    static final long FIRST_MILLIS = 45_000;
    static final long LAST_MILLIS = 180_000;
    static final long STEP_MILLIS = 250;

    private static final String HEADING = "# A request each " + STEP_MILLIS + " ms, from " + FIRST_MILLIS + " to "
            + LAST_MILLIS + " ms, of limiters to " + LIMIT + " requests in " + INTERVAL.toMillis()
            + " ms; the times at which each granted one, in ms";

    /** Sends all requests to a new limiter of each kind. */
    static Burst run() {
        Map<Kind, long[]> granted = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            LongPredicate limiter = kind.create();
            granted.put(kind, requests().filter(limiter).toArray());
        }
        return new Burst(granted);
    }

    private static LongStream requests() {
        return LongStream.iterate(FIRST_MILLIS, millis -> millis <= LAST_MILLIS, millis -> millis + STEP_MILLIS);
    }

    /** Reads what {@link #write} has written. */
    static Burst read(Path file) throws IOException {
        Map<Kind, long[]> granted = new EnumMap<>(Kind.class);
        for (String line : Files.readAllLines(file)) {
            String[] parts = line.split(": ");
            if (!line.startsWith("#")) {
                granted.put(
                        Kind.valueOf(parts[0]),
                        Arrays.stream(parts[1].split(" "))
                                .mapToLong(Long::parseLong)
                                .toArray());
            }
        }
        return new Burst(granted);
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADING));
        grantedMillis.forEach((kind, times) -> lines.add(kind.name() + ": "
                + Arrays.stream(times).mapToObj(Long::toString).collect(Collectors.joining(" "))));
        Files.write(file, lines);
    }

    /** Returns how many requests were granted in the interval that ends at {@code millis}; both ends count. */
    long inLastInterval(Kind kind, long millis) {
        return Arrays.stream(grantedMillis.get(kind))
                .filter(time -> time <= millis && millis - time <= INTERVAL.toMillis())
                .count();
    }

    /** What limits. */
    enum Kind {
        /** All permits anew at the full minute. */
        BUCKET_PER_MINUTE("Bucket4j, refilled once a minute") {
            @Override
            LongPredicate create() {
                return bucket(bandwidth -> bandwidth.refillIntervally(LIMIT, INTERVAL));
            }
        },
        /** A permit each second, and a full bucket after a pause. */
        TOKEN_BUCKET("Bucket4j, refilled continuously") {
            @Override
            LongPredicate create() {
                return bucket(bandwidth -> bandwidth.refillGreedy(LIMIT, INTERVAL));
            }
        },
        SLIDING_WINDOW_LIMITER("SlidingWindowLimiter") {
            @Override
            LongPredicate create() {
                SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(LIMIT, INTERVAL));
                return millis -> limiter.tryAcquire(Duration.ofMillis(millis).toNanos(), 1);
            }
        };

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /** Returns a new limiter, created at 0 ms, which says whether it grants a request at a time. */
        abstract LongPredicate create();

        /** Returns its name in the picture. */
        @Override
        public String toString() {
            return title;
        }
    }

    private static LongPredicate bucket(Function<BandwidthBuilderRefillStage, BandwidthBuilderBuildStage> refill) {
        Clock clock = new Clock();
        Bucket bucket = Bucket.builder()
                .addLimit(bandwidth -> refill.apply(bandwidth.capacity(LIMIT)))
                .withCustomTimePrecision(clock)
                .build();
        return millis -> clock.at(millis) && bucket.tryConsume(1);
    }

    /** The clock of a Bucket4j, set by hand. */
    private static final class Clock implements TimeMeter {
        private long nanos;

        /** Sets the clock and returns true. */
        boolean at(long millis) {
            nanos = Duration.ofMillis(millis).toNanos();
            return true;
        }

        @Override
        public long currentTimeNanos() {
            return nanos;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }
}
