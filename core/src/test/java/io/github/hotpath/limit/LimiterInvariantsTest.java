package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.window.Fields;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code checkInvariants} notices: the tests rely on it after each call. */
class LimiterInvariantsTest {
    private static final String WRONG = "refuses what it should not, or not what it should";

    /** Returns a limiter with a permit at each of 0, 1, 2 and so on. */
    private static SlidingWindowLimiter holding(int permits) {
        SlidingWindowLimiter limiter = Limiters.of(100_000, 100_000);
        for (long time = 0; time < permits; time++) {
            assertThat(limiter.tryAcquire(time, 1)).isTrue();
        }
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
        return limiter;
    }

    private static PermitLog entries(SlidingWindowLimiter limiter) {
        return (PermitLog) get(limiter.log, "log");
    }

    private static Object get(Object part, String field) {
        return Objects.requireNonNull(Fields.get(part, field));
    }

    private static void assertNoticed(Runnable check, String message) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run).withMessage(message);
    }

    static Stream<Arguments> brokenEntries() {
        return Stream.of(
                Arguments.of(3, "head", -1L, "head after tail"),
                Arguments.of(3, "head", 4L, "head after tail"),
                Arguments.of(3, "length", 3, "a length that is no power of two"),
                Arguments.of(3, "length", 2_048, "a length that is no power of two"),
                Arguments.of(3, "length", 64, "too much room"),
                Arguments.of(3, "length", 2, "more entries than places"),
                Arguments.of(3, "permits", 7L, "permits that no column has"),
                Arguments.of(3, "calls", 7L, "calls that no column has"),
                Arguments.of(2_000, "length", 512, "several short chunks"),
                Arguments.of(2_000, "last", new long[1_024], "the last chunk is another one"));
    }

    @ParameterizedTest(name = "{0} entries, {1}: {3}")
    @MethodSource("brokenEntries")
    void checkInvariants_brokenEntries_areNoticed(int permits, String field, Object value, String message) {
        SlidingWindowLimiter limiter = holding(permits);

        Fields.set(entries(limiter), field, value);

        assertNoticed(limiter::checkInvariants, message);
    }

    @Test
    void checkInvariants_entriesOutOfOrder_areNoticed() {
        SlidingWindowLimiter limiter = holding(3);
        ((long[]) get(entries(limiter), "last"))[1] = 0;

        assertNoticed(limiter::checkInvariants, "entries out of order");
    }

    @Test
    void checkInvariants_negativePermits_areNoticed() {
        SlidingWindowLimiter limiter = holding(3);
        limiter.tryAcquire(3, 2); // with a column of sums
        long[] columns = (long[]) get(entries(limiter), "last");
        columns[columns.length / 2 + 1] = -5;

        assertNoticed(limiter::checkInvariants, "negative permits");
    }

    @Test
    void checkInvariants_blockWithoutAChunk_isNoticed() {
        SlidingWindowLimiter limiter = holding(2_000);
        ((long[][]) get(get(entries(limiter), "blocks"), "chunks"))[0] = ChunkRing.NONE;

        assertNoticed(limiter::checkInvariants, "a block without a chunk, or chunks that no block has");
    }

    @Test
    void checkInvariants_tooManyPlaces_areNoticed() {
        SlidingWindowLimiter limiter = holding(2_000);
        Object blocks = get(entries(limiter), "blocks");
        long[][] chunks = (long[][]) get(blocks, "chunks");
        long[][] more = Arrays.copyOf(chunks, 64);
        Arrays.fill(more, chunks.length, more.length, ChunkRing.NONE);
        Fields.set(blocks, "chunks", more);
        Fields.set(blocks, "permits", Arrays.copyOf((long[]) get(blocks, "permits"), 64));
        Fields.set(blocks, "calls", Arrays.copyOf((long[]) get(blocks, "calls"), 64));

        assertNoticed(limiter::checkInvariants, "too few places, or too many");
    }

    static Stream<Arguments> brokenTimes() {
        return Stream.of(
                Arguments.of("lastSlot", 1L, "an entry after the last slot"),
                Arguments.of("latest", 10L, "a last slot before the latest time"),
                Arguments.of("started", false, "entries that nothing counts"),
                Arguments.of("cancelled", 100, "too many cancelled"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("brokenTimes")
    void checkInvariants_brokenLog_isNoticed(String field, Object value, String message) {
        SlidingWindowLimiter limiter = holding(3);

        Fields.set(limiter.log, field, value);

        assertNoticed(limiter::checkInvariants, message);
    }

    @Test
    void checkInvariants_entryThatWasNotCancelled_isNoticed() {
        SlidingWindowLimiter limiter = holding(3);
        Reservation reservation = limiter.reserve(3, 1, Duration.ZERO);
        limiter.tryAcquire(4, 1);
        reservation.cancel();
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
        Fields.set(limiter.log, "cancelled", 0);

        assertNoticed(limiter::checkInvariants, "entries without permits that were not cancelled");
    }

    @Test
    void checkInvariants_moreCallsThanPermits_areNoticed() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.ofCalls(9, nanos(10)));
        Limiters.acquiring(limiter, 0, 0, 0);
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
        Fields.set(entries(limiter), "calls", 9L);

        assertNoticed(limiter::checkInvariants, "more calls than permits");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void checkInvariants_cursorElsewhere_isNoticed(long position) {
        SlidingWindowLimiter limiter = holding(3);
        Fields.set(get(limiter.log, "first"), "position", position);

        assertNoticed(limiter::checkInvariants, "a cursor after the begin of its window");
    }

    static Stream<Arguments> wrongStates() {
        SlidingWindowLimiter open = Limiters.acquiring(Limiters.of(2, 10), 0);
        SlidingWindowLimiter closed = Limiters.acquiring(Limiters.of(1, 10), 0);
        SlidingWindowLimiter closedForEver = Limiters.of(0, 10);
        return Stream.of(
                Arguments.of(open, SlidingWindowLimiter.CLOSED),
                Arguments.of(open, SlidingWindowLimiter.CLOSED_FOR_EVER),
                Arguments.of(closed, SlidingWindowLimiter.OPEN),
                Arguments.of(closed, SlidingWindowLimiter.CLOSED_FOR_EVER),
                Arguments.of(closedForEver, SlidingWindowLimiter.OPEN),
                Arguments.of(closedForEver, SlidingWindowLimiter.CLOSED));
    }

    /** As after any error, the next call publishes what is right. */
    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("wrongStates")
    void checkInvariants_wrongState_isNoticed(SlidingWindowLimiter limiter, int state) {
        long delay = limiter.decide(0, 2).delayNanos();
        int right = limiter.state;
        limiter.state = state;

        assertNoticed(limiter::checkInvariants, WRONG);

        limiter.state = Gate.UNKNOWN;
        assertThat(limiter.tryAcquireOrDelay(0, 2)).isEqualTo(delay);
        assertThat(limiter.state).isEqualTo(right);
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
    }

    @Test
    void checkInvariants_closedUntilAnotherTime_isNoticed() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);
        Fields.set(limiter, "closedBefore", 10L);

        assertNoticed(limiter::checkInvariants, WRONG);
    }

    /** A retired limiter refuses all, and is retired for ever: also after an error. */
    @Test
    void checkInvariants_retired_staysRetired() {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(1, 10), 0);
        limiter.retire();
        assertThatCode(limiter::checkInvariants).doesNotThrowAnyException();
        Fields.set(limiter.log, "latest", 10L);

        assertNoticed(limiter::checkInvariants, "a last slot before the latest time");

        assertThat(limiter.isRetired()).isTrue();
        assertThat(limiter.log.holder).isEqualTo(PolledLock.FREE);
    }

    @Test
    void checkInvariants_brokenRotation_isNoticed() {
        KeyedLimiter<String> size = ofThreeKeys();
        Fields.set(size.map().rotation, "size", 5);
        assertNoticed(size::checkInvariants, "size is not that of the ring");

        KeyedLimiter<String> end = ofThreeKeys();
        Objects.requireNonNull(end.map().rotation.hand()).next = null;
        assertNoticed(end::checkInvariants, "a ring that is broken");

        KeyedLimiter<String> circle = ofThreeKeys();
        KeyedEntry<String> hand = Objects.requireNonNull(circle.map().rotation.hand());
        hand.next = hand.previous;
        assertNoticed(circle::checkInvariants, "a ring that is broken");
    }

    @Test
    void checkInvariants_brokenMap_isNoticed() {
        KeyedLimiter<String> forgotten = ofThreeKeys();
        ((Map<?, ?>) get(forgotten.map(), "entries")).clear();
        assertNoticed(forgotten::checkInvariants, "entries that are not both in the map and in the rotation");

        KeyedLimiter<String> evicted = ofThreeKeys();
        Objects.requireNonNull(evicted.map().get("b")).retire();
        assertNoticed(evicted::checkInvariants, "an entry that a call should have removed");
    }

    private static KeyedLimiter<String> ofThreeKeys() {
        KeyedLimiter<String> keyed = KeyedLimiter.of(Limit.of(1, nanos(10)));
        for (String key : new String[] {"a", "b", "c"}) {
            keyed.forKey(key).tryAcquire(0, 1);
        }
        assertThatCode(keyed::checkInvariants).doesNotThrowAnyException();
        return keyed;
    }
}
