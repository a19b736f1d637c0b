package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetState.Snapshot;
import io.github.hotpath.limit.Limit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FleetStateTest {
    private static final long SEED = Long.getLong("hotpath.seed", 20261122);
    private static final LimitSet TWO = limits("two", 2, 10);

    private final FleetState state = new FleetState();

    private static LimitSet limits(String name, long permits, long nanos) {
        return new LimitSet(name, List.of(Limit.of(permits, Duration.ofNanos(nanos))));
    }

    private static List<Request> attempt(LimitSet limits, String key, int permits) {
        return List.of(new Request(limits, key, permits));
    }

    @SafeVarargs
    private long[] apply(long nanos, List<Request>... attempts) {
        List<List<Request>> batch = new ArrayList<>();
        for (List<Request> attempt : attempts) {
            batch.add(attempt);
        }
        return state.apply(nanos, batch);
    }

    @Test
    void apply_ofOneBatch_areInOrder() {
        assertThat(apply(100, attempt(TWO, "a", 1), attempt(TWO, "a", 1), attempt(TWO, "a", 1), attempt(TWO, "b", 2)))
                .containsExactly(0, 0, 11, 0);
    }

    @Test
    void apply_sameNameOtherLimits_countsByItself() {
        apply(0, attempt(TWO, "a", 2));

        assertThat(apply(0, attempt(limits("two", 2, 11), "a", 2))).containsExactly(0);
    }

    @Test
    void apply_severalRequests_areAllOrNothing() {
        LimitSet one = limits("one", 1, 100);
        apply(0, attempt(one, "busy", 1));
        List<Request> both = List.of(new Request(TWO, "a", 2), new Request(one, "busy", 1), new Request(TWO, "b", 1));

        assertThat(apply(1, both)).containsExactly(100);
        assertThat(apply(1, attempt(TWO, "a", 2))).containsExactly(0);
        assertThat(apply(101, both)).containsExactly(0);
        assertThat(state.available(101, TWO)).isEqualTo(Map.of("a", 0L, "b", 1L));
    }

    @Test
    void apply_sameKeyTwiceInOneAttempt_countsBoth() {
        assertThat(apply(0, List.of(new Request(TWO, "a", 1), new Request(TWO, "a", 2)))[0])
                .isPositive();
        assertThat(apply(0, attempt(TWO, "a", 2))).containsExactly(0);
    }

    @Test
    void keys_manyThatPass_areFew() {
        for (int i = 0; i < 10_000; i++) {
            apply(i * 10L, attempt(TWO, "key-" + i, 1));
        }

        assertThat(state.keys()).isLessThan(10);
    }

    /** As after a change of the limits of a service: the old ones are of no use when their intervals are over. */
    @Test
    void keys_ofALimitThatIsNotUsedAnyMore_leave() {
        LimitSet old = limits("two", 3, 10);
        for (int i = 0; i < 1_000; i++) {
            apply(0, attempt(old, "key-" + i, 1));
        }
        for (int i = 0; i < 1_100; i++) {
            apply(11, attempt(TWO, "key-" + i % 5, 1));
        }

        assertThat(state.keys()).isEqualTo(5);
        assertThat(state.available(12, old)).isEmpty();
    }

    /**
     * Whatever has happened, a member that continues from a snapshot comes to the same results as one that did not; and
     * what happens while a snapshot is written is not in it.
     */
    @Test
    void snapshot_random_continuesAsTheOriginal() throws IOException {
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(SEED + run);
            FleetState original = new FleetState();
            FleetState copy = new FleetState();
            long nanos = 0;
            for (int i = 0; i < 80; i++) {
                nanos += random.nextLong(4);
                List<List<Request>> batch = random(random);
                assertThat(copy.apply(nanos, batch))
                        .as("run again with -Dhotpath.seed=%d", SEED)
                        .isEqualTo(original.apply(nanos, batch));
                if (random.nextInt(5) == 0) {
                    Snapshot snapshot = copy.snapshot();
                    byte[] before = bytes(original.snapshot());
                    List<List<Request>> meanwhile = random(random);
                    copy.apply(nanos, meanwhile);
                    copy = FleetState.readFrom(in(bytes(snapshot)), 1);
                    assertThat(bytes(copy.snapshot()))
                            .as("run again with -Dhotpath.seed=%d", SEED)
                            .isEqualTo(before);
                }
            }
        }
    }

    /** A chunk at a time is read with the lock; between two of them, attempts go on. */
    @Test
    void snapshot_attemptsBetweenItsChunks_areNotInIt() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            apply(0, attempt(TWO, "key-" + i, 1));
        }
        Object lock = new Object();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int[] next = {0};
        Snapshot snapshot = state.snapshot();
        snapshot.writeTo(
                new DataOutputStream(new FilterOutputStream(bytes) {
                    @Override
                    public void write(int b) throws IOException {
                        assertThat(Thread.holdsLock(lock)).isFalse();
                        apply(1, attempt(TWO, "key-" + next[0]++ % 1_000, 1), attempt(TWO, "new-" + next[0], 1));
                        super.write(b);
                    }
                }),
                lock);

        Map<String, Long> then = FleetState.readFrom(in(bytes.toByteArray()), 1).available(1, TWO);
        assertThat(then).hasSize(1_000);
        assertThat(then.values()).containsOnly(1L);
        assertThat(state.available(1, TWO)).containsEntry("key-0", 0L);
    }

    @Test
    void readFrom_newerFormat_isRefused() throws IOException {
        state.raiseFormat(2);
        byte[] bytes = bytes(state.snapshot());

        assertThat(FleetState.readFrom(in(bytes), 2).format()).isEqualTo(2);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> FleetState.readFrom(in(bytes), 1))
                .withMessage("format of the fleet: 2 (expected: at most 1, by this program)");
    }

    private static List<List<Request>> random(SplittableRandom random) {
        List<List<Request>> attempts = new ArrayList<>();
        for (int left = random.nextInt(4); left >= 0; left--) {
            List<Request> attempt = new ArrayList<>();
            for (int requests = random.nextInt(5) == 0 ? 3 : 1; requests > 0; requests--) {
                LimitSet limits = random.nextBoolean() ? TWO : limits("five", 5, 7);
                attempt.add(new Request(limits, "key-" + random.nextInt(5), 1 + random.nextInt(3)));
            }
            attempts.add(attempt);
        }
        return attempts;
    }

    private static byte[] bytes(Snapshot snapshot) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        snapshot.writeTo(new DataOutputStream(bytes), snapshot);
        return bytes.toByteArray();
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    @Test
    void attempts_writtenAndRead_areTheSame() throws IOException {
        List<Request> attempt = List.of(
                new Request(TWO, "\u00fc", 3),
                new Request(new LimitSet("c", List.of(Limit.ofCalls(1, Duration.ofDays(1)))), "b", 1));

        assertThat(Attempts.read(in(Attempts.write(attempt)))).isEqualTo(attempt);
    }

    /** A zero takes one byte where others write two of them, so it could be read, and not be written any more. */
    @Test
    void attempts_ofAKeyThatCannotBeWritten_areRejected() throws IOException {
        byte[] bytes = Attempts.write(attempt(TWO, "", 1));
        int key = bytes.length - Integer.BYTES;
        ByteBuffer wrong = ByteBuffer.allocate(bytes.length + 60_000);
        wrong.put(bytes, 0, key - Short.BYTES).putShort((short) 60_000);
        wrong.position(key + 60_000).put(bytes, key, Integer.BYTES);

        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> Attempts.read(in(wrong.array())))
                .withMessage("length: 60000 (expected: as Attempts writes it)");
    }

    /** What cannot be read must not come into the log: no member could go on. */
    @Test
    void attempts_anyByteWrong_areReadOrRejected() throws IOException {
        byte[] bytes = Attempts.write(attempt(TWO, "a", 1));
        SplittableRandom random = new SplittableRandom(SEED);
        int rejected = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] wrong = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length);
            if (wrong.length > 0) {
                wrong[random.nextInt(wrong.length)] = (byte) random.nextInt();
            }
            try {
                apply(0, Attempts.read(in(wrong)));
            } catch (IOException e) {
                rejected++;
            }
        }
        assertThat(rejected).as("run again with -Dhotpath.seed=%d", SEED).isBetween(1, 19_999);
    }
}
