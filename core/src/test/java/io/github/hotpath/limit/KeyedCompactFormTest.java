package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.testing.CompactBytes;
import io.github.hotpath.testing.FromAnyStart;
import io.github.hotpath.testing.Seed;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link KeyedLimiter#writeTo} and {@link KeyedLimiter#readFrom}: which bytes, which limits, and which failures. */
class KeyedCompactFormTest {
    private static final String HEAD = "4B 01 "; // kind, version

    /** A latest time. */
    private static final String AT_112 = "0000000000000070 ";

    private static final List<Limit> FIVE = List.of(Limit.of(5, nanos(10)));
    private static final List<Limit> TWO =
            List.of(Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofHours(1)));

    private static KeyedLimiter<Integer> acquiring(List<Limit> limits, int key, long... times) {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(limits);
        for (long time : times) {
            assertThat(limiter.forKey(key).tryAcquire(time, 1)).isTrue();
        }
        return limiter;
    }

    private static void assertWritten(KeyedLimiter<Integer> limiter, String hex) throws IOException {
        assertThat(bytes(limiter)).isEqualTo(CompactBytes.parse(hex));
    }

    private static byte[] bytes(KeyedLimiter<Integer> limiter) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        limiter.writeTo(new DataOutputStream(bytes), (key, keys) -> keys.writeByte(key));
        return bytes.toByteArray();
    }

    private static KeyedLimiter<Integer> read(byte[] bytes, long shiftNanos, Function<Integer, List<Limit>> limitsOf)
            throws IOException {
        KeyedLimiter<Integer> limiter =
                KeyedLimiter.readFrom(CompactBytes.input(bytes), DataInput::readUnsignedByte, shiftNanos, limitsOf);
        Invariants.check(limiter);
        return limiter;
    }

    // bytes

    /** The example of docs/compact-forms.md. */
    @Test
    void writeTo_threeTimes_newestFirst() throws IOException {
        assertWritten(acquiring(FIVE, 7, 103, 105, 112), HEAD + "01 07 04 " + AT_112 + "00 00 00 00 07 02  00 00");
    }

    /** Version 1, as it was written once: it must stay readable, and is what is written today. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("stored")
    void storedForm_version1_isReadAndWritten(String name, String hex) throws IOException {
        CompactBytes<KeyedLimiter<Integer>> form = KeyedFormTarget.form(key -> TWO);

        assertThat(form.hex(example(name))).isEqualTo(hex);
        KeyedLimiter<Integer> limiter = form.read(hex);
        Invariants.check(limiter);
        assertThat(form.hex(limiter)).isEqualTo(hex);
    }

    static Stream<String[]> stored() throws IOException {
        return CompactBytes.stored(KeyedCompactFormTest.class, "keyed-limiter-v1.txt");
    }

    private static KeyedLimiter<Integer> example(String name) {
        KeyedLimiter<Integer> two = KeyedLimiter.of(TWO);
        switch (name) {
            case "new" -> {}
            case "single permits" -> {
                for (int i = 0; i < 12; i++) {
                    two.forKey(i % 4).tryAcquire(i * 123_456_789L - 500_000_000, 1);
                }
            }
            case "weights" -> {
                two.forKey(1).tryAcquire(-7, 300);
                two.forKey(1).tryAcquire(-7, 20);
                two.forKey(2).tryAcquire(5_000, 1);
                two.forKey(1).tryAcquire(5_001, 70_000);
            }
            case "pending" -> {
                for (int i = 0; i < 3 * 61; i++) {
                    int key = 5 + i % 3;
                    Reservation last = two.forKey(key).reserve(Long.MAX_VALUE + key / 7, 1, Duration.ofHours(2));
                    if (last.delayNanos() > 0 && key > 5) {
                        last.cancel();
                    }
                }
            }
            case "evicted" -> {
                two.forKey(1).tryAcquire(1_000_000, 1);
                two.forKey(2).tryAcquire(3_600_002_000_000L, 1);
                two.evictIdle(3_600_002_000_000L);
                two.forKey(3).tryAcquire(0, 2);
            }
            default -> throw new IllegalArgumentException(name);
        }
        return two;
    }

    /** Two distances of 5 bytes each, and one of a byte. */
    @FromAnyStart
    void writeTo_threeGrantsInASecond_atMost24Bytes(long start) throws IOException {
        SplittableRandom random = Seed.random("three grants " + start);
        List<Limit> three = List.of(Limit.of(3, Duration.ofDays(20_000)));
        for (int i = 0; i < 256; i++) {
            long second = start + random.nextLong(1, 500_000_000);
            long third = start + random.nextLong(500_000_000, 1_000_000_000);

            byte[] bytes = bytes(acquiring(three, 7, start, second, third));

            assertThat(bytes).as(Seed.hint()).hasSizeLessThanOrEqualTo(2 + (1 + 24) + 2);
        }
    }

    // other limits

    /** A later limit may count them. */
    @Test
    void readFrom_noLimitPerCall_keepsTheCalls() throws IOException {
        KeyedLimiter<Integer> limiter = acquiring(List.of(Limit.ofCalls(9, nanos(10))), 7, 112, 112, 112);

        KeyedLimiter<Integer> read = read(bytes(limiter), 0, key -> FIVE);

        assertThat(read.forKey(7).available(112)).isEqualTo(2);
        assertWritten(read, HEAD + "01 07 02 " + AT_112 + "00 03 03 00 02 02  00 00");
    }

    /** A slot is pending, though nothing was ever granted: its time is the only one. */
    @Test
    void writeTo_closedKeyWithoutGrant_staysClosed() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(FIVE);
        limiter.forKey(7).closeFor(0, nanos(5));

        KeyedLimiter<Integer> read = read(bytes(limiter), 0, key -> FIVE);

        assertThat(read.forKey(7).available(4)).isZero();
        assertThat(read.forKey(7).available(5)).isEqualTo(5);
    }

    // threads and calls meanwhile

    /** What a call in progress grants is written, if it has the lock first. */
    @Test
    @Timeout(600)
    void writeTo_keyInUse_waitsForTheCall() throws Exception {
        KeyedLimiter<Integer> limiter = acquiring(FIVE, 7, 1);
        SlidingLog log = requireNonNull(limiter.keys.map().get(7)).log;
        assertThat(log.tryLock()).isTrue();
        FutureTask<byte[]> writing = new FutureTask<>(() -> bytes(limiter));
        Thread writer = new Thread(writing);

        writer.start();
        while (writer.getState() != Thread.State.TIMED_WAITING && writer.isAlive()) {
            Thread.onSpinWait();
        }
        log.grant(2, 2, 3);
        log.unlock();

        KeyedLimiter<Integer> read = read(writing.get(), 0, key -> FIVE);
        assertThat(read.forKey(7).available(2)).isEqualTo(1);
    }

    /** It has not expired when the writing begins, and is evicted before it is reached. */
    @Test
    void writeTo_keyEvictedMeanwhile_hasExpiredAtTheEvictionTime() throws IOException {
        KeyedLimiter<Integer> limiter = acquiring(FIVE, 1, 10);
        limiter.forKey(2).tryAcquire(3, 5);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        limiter.writeTo(new DataOutputStream(bytes), (key, out) -> {
            limiter.evictIdle(14); // evicts the second while the first is written
            out.writeByte(key);
        });

        KeyedLimiter<Integer> read = read(bytes.toByteArray(), 0, key -> FIVE);

        assertThat(limiter.size()).isEqualTo(1);
        assertThat(read.forKey(2).tryAcquire(13, 1)).isTrue();
        assertThat(read.forKey(2).tryAcquireOrDelay(13, 5))
                .isEqualTo(14 + 11 - 13); // it counts at 14, where 3 has expired
    }

    // failures

    @Test
    void readFrom_keyTwice_theLaterOne() throws IOException {
        byte[] bytes = CompactBytes.parse(HEAD + "01 07 04 " + AT_112 + "00 00 00 00 07 02  01 08 02 " + AT_112
                + "00 00 00 00  01 07 02 000000000000006F 00 00 00 00  00 00");

        KeyedLimiter<Integer> limiter = read(bytes, 0, key -> FIVE);

        assertThat(limiter.size()).isEqualTo(2);
        assertThat(limiter.forKey(7).available(111)).isEqualTo(4);
        limiter.evictIdle(1_000);
        assertThat(limiter.size()).isZero();
    }

    @Test
    void null_isRejected() throws IOException {
        DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());
        DataInputStream in = CompactBytes.input(bytes(acquiring(FIVE, 7, 1)));

        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.of(FIVE).writeTo(out, null))
                .withMessage("keys");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, null, 0, key -> FIVE))
                .withMessage("keys");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, keys -> 0, 0, null))
                .withMessage("limitsOf");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, keys -> null, 0, key -> FIVE))
                .withMessage("key");
    }
}
