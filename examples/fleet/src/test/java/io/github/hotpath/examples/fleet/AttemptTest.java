package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.MetaParam;
import org.infinispan.functional.MetaParam.MetaLifespan;
import org.infinispan.metadata.Metadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptTest {
    private static final List<Limit> LIMITS =
            List.of(Limit.of(2, Duration.ofSeconds(10)), Limit.of(100, Duration.ofSeconds(1)));
    private static final long SECOND = 1_000_000_000;

    private final Entry primary = new Entry();
    private final Entry backup = new Entry();

    private static Attempt at(long second) {
        return new Attempt(second * SECOND, 1, LIMITS, false);
    }

    @Test
    void apply_newKey_makesALimiter() {
        assertThat(at(5).apply(primary)).isZero();

        assertThat(primary.limiter).isNotNull();
        assertThat(primary.limiter.limits()).isEqualTo(LIMITS);
        assertThat(primary.available(5)).isEqualTo(1);
    }

    /** If it were shorter, permits that still count by a clock behind the owner's would have expired. */
    @Test
    void apply_granted_keepsTheEntryForTwiceTheLongestInterval() {
        at(5).apply(primary);
        assertThat(primary.lifespanMillis).isBetween(20_000L, 20_001L);

        primary.lifespanMillis = 0;
        at(6).apply(primary);
        assertThat(primary.lifespanMillis).isPositive();
    }

    @Test
    void apply_refused_changesNothingAndReturnsTheDelay() {
        at(5).apply(primary);
        at(6).apply(primary);
        primary.sets = 0;
        Attempt refused = at(7);

        assertThat(refused.apply(primary)).isEqualTo(8 * SECOND + 1);
        assertThat(refused.granted()).isFalse();
        assertThat(primary.sets).isZero();
    }

    @Test
    void apply_grantedByThePrimary_leavesTheBackupTheSame() {
        for (Attempt attempt : List.of(at(5), at(4), at(16))) {
            attempt.apply(primary);
            attempt.apply(backup);
        }

        assertThat(backup).hasToString(primary.toString());
        assertThat(backup.available(16)).isEqualTo(primary.available(16)).isEqualTo(1);
    }

    /** Otherwise it would grant too much when it becomes the primary: here a third permit at 17 s. */
    @Test
    void apply_grantedByThePrimaryAtAFullerBackup_countsThereLater() {
        Attempt first = at(5);
        first.apply(primary);
        first.apply(backup);
        first.apply(backup); // was in the state that it had fetched
        Attempt second = at(8);
        assertThat(second.apply(primary)).isZero();

        second.apply(backup);

        assertThat(backup.available(12)).isZero();
        assertThat(backup.available(17)).isEqualTo(1); // and not 2: it counts as if at 15 s
        assertThat(backup.available(26)).isEqualTo(2);
    }

    /** The owner has changed, and the new one evaluates the attempt. The result of the old one is not used. */
    @Test
    void apply_repeatedAtANewPrimary_returnsItsJudgementAndCounts() {
        Attempt attempt = at(7);
        attempt.apply(primary);
        at(5).apply(backup);
        at(6).apply(backup);

        assertThat(attempt.apply(backup)).isPositive();
        assertThat(backup.available(15)).isZero();
    }

    @Test
    void apply_repeatedAtTheSamePrimary_countsTwice() {
        Attempt attempt = at(7);

        assertThat(attempt.apply(primary)).isZero();
        assertThat(attempt.apply(primary)).isZero();
        assertThat(primary.available(7)).isZero();
    }

    @SuppressWarnings("rawtypes") // set overrides a method of Infinispan that declares MetaParam.Writable raw
    private static final class Entry implements ReadWriteEntryView<Object, SlidingWindowLimiter> {
        private @Nullable SlidingWindowLimiter limiter;
        private long lifespanMillis;
        private int sets;

        long available(long second) {
            return get().available(second * SECOND);
        }

        @Override
        public Void set(SlidingWindowLimiter value, MetaParam.Writable... metas) {
            limiter = value;
            lifespanMillis = ((MetaLifespan) metas[0]).get();
            sets++;
            return null;
        }

        @Override
        public Void set(SlidingWindowLimiter value, Metadata metadata) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Void remove() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object key() {
            return "key";
        }

        @Override
        public SlidingWindowLimiter get() {
            return find().orElseThrow();
        }

        @Override
        public Optional<SlidingWindowLimiter> find() {
            return Optional.ofNullable(limiter);
        }

        @Override
        public Optional<SlidingWindowLimiter> peek() {
            return find();
        }

        @Override
        public <T extends MetaParam> Optional<T> findMetaParam(Class<T> type) {
            return Optional.empty();
        }

        @Override
        public String toString() {
            return String.valueOf(limiter);
        }
    }
}
