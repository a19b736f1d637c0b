package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.limit.Limit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FleetStateTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final UUID SESSION = new UUID(1, 2);
    private static final LimitSet TWO = limits("two", 2, 10);

    private final FleetState state = new FleetState();

    private static LimitSet limits(String name, long permits, long nanos) {
        return new LimitSet(name, List.of(Limit.of(permits, Duration.ofNanos(nanos))));
    }

    private static List<Request> attempt(LimitSet limits, String key, int permits) {
        return List.of(new Request(limits, key, permits));
    }

    @SafeVarargs
    private static Attempts batch(long number, List<Long> open, List<Request>... attempts) {
        List<List<Request>> list = new ArrayList<>();
        for (List<Request> attempt : attempts) {
            list.add(attempt);
        }
        return new Attempts(SESSION, number, open, list);
    }

    @Test
    void apply_ofOneBatch_areInOrder() {
        assertThat(state.apply(
                        100,
                        batch(
                                1,
                                List.of(),
                                attempt(TWO, "a", 1),
                                attempt(TWO, "a", 1),
                                attempt(TWO, "a", 1),
                                attempt(TWO, "b", 2))))
                .containsExactly(0, 0, 11, 0);
    }

    @Test
    void apply_sameNameOtherLimits_countsByItself() {
        state.apply(0, batch(1, List.of(), attempt(TWO, "a", 2)));

        assertThat(state.apply(0, batch(2, List.of(), attempt(limits("two", 2, 11), "a", 2))))
                .containsExactly(0);
    }

    /** The answer was lost, and the caller asks again: the permit counts once, and the answer is the same. */
    @Test
    void apply_repeated_countsOnce() {
        Attempts batch = batch(1, List.of(), attempt(TWO, "a", 1));

        assertThat(state.apply(0, batch)).containsExactly(0);
        assertThat(state.apply(5, batch)).containsExactly(0);
        assertThat(state.available(5, TWO)).isEqualTo(Map.of("a", 1L));
    }

    @Test
    void apply_repeatedRefusal_isTheSame() {
        state.apply(0, batch(1, List.of(), attempt(TWO, "a", 2)));
        Attempts refused = batch(2, List.of(), attempt(TWO, "a", 1));

        assertThat(state.apply(0, refused)).containsExactly(11);
        assertThat(state.apply(20, refused)).containsExactly(11);
    }

    @Test
    void apply_twoOnTheirWayInTheOtherOrder_bothCountOnce() {
        Attempts first = batch(1, List.of(), attempt(TWO, "a", 1));
        Attempts second = batch(2, List.of(1L), attempt(TWO, "a", 1));

        assertThat(state.apply(0, second)).containsExactly(0);
        assertThat(state.apply(0, first)).containsExactly(0);
        assertThat(state.apply(0, first)).containsExactly(0);
        assertThat(state.apply(0, second)).containsExactly(0);
        assertThat(state.available(0, TWO)).isEqualTo(Map.of("a", 0L));
    }

    @Test
    void apply_fourOnTheirWayInAnyOrder_eachCountsOnce() {
        Random random = new Random(SEED);
        List<Long> copies = new ArrayList<>(List.of(1L, 1L, 2L, 2L, 3L, 3L, 4L, 4L));
        for (int round = 0; round < 200; round++) {
            Collections.shuffle(copies, random);
            FleetState fleet = new FleetState();
            LimitSet ten = limits("ten", 10, 10);
            for (long number : copies) {
                List<Long> before = LongStream.range(1, number).boxed().toList();
                assertThat(fleet.apply(0, batch(number, before, attempt(ten, "a", 1))))
                        .as("%s, seed %d", copies, SEED)
                        .containsExactly(0);
            }
            assertThat(fleet.available(0, ten)).as("%s", copies).isEqualTo(Map.of("a", 6L));
        }
    }

    /** A late copy of attempts that were answered, or given up, must not count. */
    @Test
    void apply_numberNoLongerOpen_isForgotten() {
        Attempts first = batch(1, List.of(), attempt(TWO, "a", 1));
        state.apply(0, first);
        state.apply(0, batch(3, List.of(2L), attempt(TWO, "b", 1)));

        assertThat(state.apply(0, first)).isNull();
        assertThat(state.apply(0, batch(2, List.of(), attempt(TWO, "a", 1)))).containsExactly(0);
        assertThat(state.available(0, TWO)).isEqualTo(Map.of("a", 0L, "b", 1L));
    }

    @Test
    void apply_sessionUnusedForAnHour_isForgotten() {
        Attempts first = batch(1, List.of(), attempt(TWO, "a", 1));
        state.apply(0, first);
        state.apply(0, batch(2, List.of(), attempt(TWO, "a", 1)));
        long later = FleetState.SESSION.toNanos() + 1;
        state.apply(later, new Attempts(new UUID(3, 4), 1, List.of(), List.of(attempt(TWO, "b", 1))));

        assertThat(state.apply(later, batch(3, List.of(), attempt(TWO, "a", 1))))
                .isNull();
        assertThat(state.apply(later, batch(1, List.of(), attempt(TWO, "a", 1))))
                .containsExactly(0);
    }

    @Test
    void apply_severalRequests_areAllOrNothing() {
        LimitSet one = limits("one", 1, 100);
        state.apply(0, batch(1, List.of(), attempt(one, "busy", 1)));
        List<Request> both = List.of(new Request(TWO, "a", 2), new Request(one, "busy", 1), new Request(TWO, "b", 1));

        assertThat(state.apply(1, batch(2, List.of(), both))).containsExactly(100);
        assertThat(state.apply(1, batch(3, List.of(), attempt(TWO, "a", 2)))).containsExactly(0);
        assertThat(state.apply(101, batch(4, List.of(), both))).containsExactly(0);
        assertThat(state.available(101, TWO)).isEqualTo(Map.of("a", 0L, "b", 1L));
    }

    @Test
    void apply_sameKeyTwiceInOneAttempt_countsBoth() {
        List<Request> twice = List.of(new Request(TWO, "a", 1), new Request(TWO, "a", 2));

        assertThat(state.apply(0, batch(1, List.of(), twice))[0]).isPositive();
        assertThat(state.apply(0, batch(2, List.of(), attempt(TWO, "a", 2)))).containsExactly(0);
    }

    @Test
    void keys_manyThatPass_areFew() {
        for (int i = 0; i < 10_000; i++) {
            state.apply(i * 10L, new Attempts(SESSION, i + 1, List.of(), List.of(attempt(TWO, "key-" + i, 1))));
        }

        assertThat(state.keys()).isLessThan(10);
    }

    /** As after a change of the limits of a service: the old ones are of no use when their intervals are over. */
    @Test
    void keys_ofALimitThatIsNotUsedAnyMore_leave() {
        LimitSet old = limits("two", 3, 10);
        for (int i = 0; i < 1_000; i++) {
            state.apply(0, new Attempts(SESSION, i + 1, List.of(), List.of(attempt(old, "key-" + i, 1))));
        }
        for (int i = 1_000; i < 1_900; i++) {
            state.apply(11, new Attempts(SESSION, i + 1, List.of(), List.of(attempt(TWO, "key-" + i % 5, 1))));
        }
        assertThat(state.keys()).isBetween(100, 110);
        for (int i = 1_900; i < 2_100; i++) {
            state.apply(12, new Attempts(SESSION, i + 1, List.of(), List.of(attempt(TWO, "key-" + i % 5, 1))));
        }
        assertThat(state.keys()).isEqualTo(5);
        assertThat(state.available(12, old)).isEmpty();
    }

    /** Whatever has happened, a member that continues from a snapshot comes to the same results as one that did not. */
    @Test
    void readFrom_random_continuesAsTheOriginal() throws IOException {
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            FleetState original = new FleetState();
            FleetState copy = new FleetState();
            long nanos = 0;
            for (int i = 0; i < 80; i++) {
                nanos += random.nextLong(4);
                Attempts batch = random(random);
                assertThat(copy.apply(nanos, batch))
                        .as("run again with -Dhotpath.seed=%d", SEED)
                        .isEqualTo(original.apply(nanos, batch));
                if (random.nextInt(5) == 0) {
                    copy = FleetState.readFrom(in(bytes(copy)));
                    assertThat(bytes(copy)).isEqualTo(bytes(original));
                }
            }
        }
    }

    private static Attempts random(SplittableRandom random) {
        List<List<Request>> attempts = new ArrayList<>();
        for (int left = random.nextInt(4); left >= 0; left--) {
            List<Request> attempt = new ArrayList<>();
            for (int requests = random.nextInt(5) == 0 ? 3 : 1; requests > 0; requests--) {
                LimitSet limits = random.nextBoolean() ? TWO : limits("five", 5, 7);
                attempt.add(new Request(limits, "key-" + random.nextInt(5), 1 + random.nextInt(3)));
            }
            attempts.add(attempt);
        }
        List<Long> open = random.nextBoolean() ? List.of() : List.of(1 + random.nextLong(10));
        return new Attempts(new UUID(0, random.nextInt(3)), 1 + random.nextLong(12), open, attempts);
    }

    private static byte[] bytes(FleetState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        state.writeTo(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    @Test
    void readFrom_otherVersion_isRejected() throws IOException {
        byte[] bytes = bytes(state);
        bytes[0] = 9;

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> FleetState.readFrom(in(bytes)))
                .withMessage("version of the state: 9 (expected: 1)");
    }

    @Test
    void attempts_writtenAndRead_areTheSame() throws IOException {
        Attempts batch = batch(
                7,
                List.of(3L, 5L),
                attempt(TWO, "\u00fc", 1),
                List.of(
                        new Request(TWO, "b", 3),
                        new Request(new LimitSet("c", List.of(Limit.ofCalls(1, Duration.ofDays(1)))), "b", 1)));

        assertThat(Attempts.of(batch.toBytes())).isEqualTo(batch);
    }

    /** A zero takes one byte where others write two of them, so it could be read, and not be written any more. */
    @Test
    void attempts_ofAKeyThatCannotBeWritten_areRejected() {
        byte[] bytes = batch(7, List.of(), attempt(TWO, "", 1)).toBytes();
        int key = bytes.length - Integer.BYTES;
        ByteBuffer wrong = ByteBuffer.allocate(bytes.length + 60_000);
        wrong.put(bytes, 0, key - Short.BYTES).putShort((short) 60_000);
        wrong.position(key + 60_000).put(bytes, key, Integer.BYTES);

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> Attempts.of(wrong.array()))
                .withMessage("length: 60000 (expected: as Attempts.toBytes writes it)");
    }

    /** What cannot be read must not come into the log: no member could go on. */
    @Test
    void attempts_anyByteWrong_areReadOrRejected() {
        byte[] bytes = batch(7, List.of(3L), attempt(TWO, "a", 1)).toBytes();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] wrong = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length);
            if (wrong.length > 0) {
                wrong[random.nextInt(wrong.length)] = (byte) random.nextInt();
            }
            try {
                state.apply(0, Attempts.of(wrong));
            } catch (IOException e) {
                assertThat(e).isNotNull(); // rejected
            }
        }
    }
}
