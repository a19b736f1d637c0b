package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.internal.PolledLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error in the middle of a joint call, thrown by one of its members: where {@link JointErrorsTest} has none, since
 * the locks are acquired by calls that need more stack than those that follow.
 */
@Timeout(60)
class JointErrorHandlersTest {
    private final SlidingWindowLimiter first = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter second = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter third = Limiters.acquiring(Limiters.of(9, 10), 0);

    /** Members of the three, of which the second does something when it is asked whether its limiter is current. */
    private Member[] members(BooleanSupplier isCurrent) {
        Member doing = new Member(second) {
            @Override
            boolean isCurrent() {
                return isCurrent.getAsBoolean();
            }
        };
        return new Member[] {new Member(first), doing, new Member(third)};
    }

    private void acquire(boolean isUncontended, Member[] members) {
        if (isUncontended) {
            UncontendedAcquire.delayNanos(members, 1, 1);
        } else {
            new AcquireCall(members, 1, 1).make();
        }
    }

    private void checkReleased() {
        for (SlidingWindowLimiter limiter : new SlidingWindowLimiter[] {first, second, third}) {
            assertThat(limiter.isInUse()).isFalse();
            assertThat(limiter.inUse).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_errorWhileLocksAreHeld_releasesThemAndNothingCounts(boolean isUncontended) {
        Member[] members = members(() -> {
            throw new StackOverflowError();
        });

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> acquire(isUncontended, members));

        checkReleased();
        assertThat(first.state).isEqualTo(SlidingWindowLimiter.UNKNOWN);
        assertThat(second.state).isEqualTo(SlidingWindowLimiter.UNKNOWN);
        assertThat(third.state).isEqualTo(SlidingWindowLimiter.UNKNOWN);
        Limiter all = Limiter.allOf(first, second, third);
        assertThat(all.available(1)).isEqualTo(8);
        assertThat(all.tryAcquire(1, 8)).isTrue();
        assertThat(all.tryAcquire(1, 1)).isFalse();
    }

    /** One that has been evicted is never used again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_errorWhenOneIsRetired_itStaysRetired(boolean isUncontended) {
        Member[] members = members(() -> {
            first.state = SlidingWindowLimiter.RETIRED;
            throw new StackOverflowError();
        });

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> acquire(isUncontended, members));

        checkReleased();
        assertThat(first.isRetired()).isTrue();
        assertThat(second.isRetired()).isFalse();
    }

    /** The third limiter is in use, so locks are released to be acquired in order; the error comes before they are. */
    @Test
    void acquire_errorWhileLocksAreAcquired_releasesThoseThatAreHeldAlone() {
        Member failing = new Member(second) {
            @Override
            boolean isNew() {
                throw new StackOverflowError();
            }
        };
        assertThat(third.log.tryLock(PolledLock.ALONE)).isTrue();

        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> acquire(false, new Member[] {new Member(first), failing, new Member(third)}));

        assertThat(third.isInUse()).isTrue(); // by another call
        third.log.unlock();
        checkReleased();
    }
}
