package io.github.hotpath.examples.fleet;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/** Compares the clock of a member with those of all others. */
final class ClockCheck {
    /*
     * A member sends its time on request. It read its clock between the request and the answer, so half of the round
     * trip, at most, is the error. The closest of several such readings counts, since the first ones are slow. Members
     * that join at the same time have both added their clock before they ask: at least one of them meets the other's.
     */

    private static final int READINGS = 20;
    private static final long TIMEOUT_SECONDS = 5;

    /** The clocks of the members in this JVM. */
    private static final Map<Member, LongSupplier> CLOCKS = new ConcurrentHashMap<>();

    /** A member of those that have a limit. */
    private record Member(Address address, String limit) {}

    /** What another member runs: returns its time, or null if it has not joined the limit. */
    record ReadClock(String limit) implements Function<EmbeddedCacheManager, @Nullable Long> {
        @Override
        public @Nullable Long apply(EmbeddedCacheManager member) {
            LongSupplier clock = CLOCKS.get(new Member(member.getAddress(), limit));
            return clock == null ? null : clock.getAsLong();
        }
    }

    private final EmbeddedCacheManager manager;
    private final Member self;
    private final LongSupplier clock;
    private final long maxSkew;

    /** Makes a check by which {@code clock} may be off by {@code maxSkew} at most. */
    ClockCheck(EmbeddedCacheManager manager, String limit, LongSupplier clock, Duration maxSkew) {
        this.manager = manager;
        self = new Member(manager.getAddress(), limit);
        this.clock = clock;
        this.maxSkew = maxSkew.toNanos();
    }

    /** Lets other members ask for the time of this one. */
    void publish() {
        CLOCKS.put(self, clock);
    }

    /** Lets them no longer. */
    void withdraw() {
        CLOCKS.remove(self);
    }

    /**
     * Compares the clocks.
     *
     * @throws ClockSkewException if one is off by more, or may be
     */
    void run() {
        for (Address member : manager.getMembers()) {
            if (!member.equals(self.address)) {
                check(member);
            }
        }
    }

    private void check(Address member) {
        long leastError = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < READINGS; i++) {
            long start = System.nanoTime();
            long before = clock.getAsLong();
            Long there = read(member);
            long error = (System.nanoTime() - start + 1) / 2;
            if (there == null) {
                return; // has not joined, and will ask for ours
            }
            if (error < leastError) {
                leastError = error;
                offset = there - (before + error);
            }
            if (Math.abs(offset) + leastError <= maxSkew) {
                return;
            }
        }
        throw new ClockSkewException(
                "skew to " + member + ": " + Duration.ofNanos(offset) + ", give or take " + Duration.ofNanos(leastError)
                        + " (expected: at most " + Duration.ofNanos(maxSkew) + ")",
                null);
    }

    private @Nullable Long read(Address member) {
        CompletableFuture<@Nullable Long> answer = new CompletableFuture<>();
        try {
            manager.executor()
                    .filterTargets(member::equals)
                    .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .submitConsumer(new ReadClock(self.limit), (address, nanos, failure) -> {
                        if (failure == null) {
                            answer.complete(nanos);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    })
                    .join();
            return answer.getNow(null);
        } catch (CompletionException e) {
            if (!manager.getMembers().contains(member)) {
                return null; // has left
            }
            throw new ClockSkewException("skew to " + member + ": unknown (expected: an answer)", e);
        }
    }
}
