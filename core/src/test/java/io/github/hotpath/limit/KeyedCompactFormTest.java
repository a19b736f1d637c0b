package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.internal.CompactBytes;
import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.window.Allocation;
import io.github.hotpath.window.FromAnyStart;
import io.github.hotpath.window.Seed;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link KeyedLimiter#writeTo} and {@link KeyedLimiter#readFrom}: which bytes, which limits, and which failures. */
class KeyedCompactFormTest {
    /** Kind, version; the base is 112. */
    private static final String HEAD = "4B 01 0000000000000070 ";

    private static final List<Limit> FIVE = List.of(Limit.of(5, nanos(10)));

    private static KeyedLimiter<Integer> acquiring(List<Limit> limits, int key, long... times) {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(limits);
        for (long time : times) {
            assertThat(limiter.forKey(key).tryAcquire(time, 1)).isTrue();
        }
        return limiter;
    }

    private static void assertWritten(KeyedLimiter<Integer> limiter, String hex) throws IOException {
        assertThat(KeyedForms.bytes(limiter)).isEqualTo(CompactBytes.parse(hex));
    }

    private static KeyedLimiter<Integer> read(String hex, List<Limit> limits) throws IOException {
        return KeyedForms.read(CompactBytes.parse(hex), 0, limits);
    }

    // bytes

    @Test
    void writeTo_secondKey_isRelativeToTheFirst() throws IOException {
        KeyedLimiter<Integer> limiter = acquiring(FIVE, 7, 112);
        limiter.forKey(8).tryAcquire(110, 1);
        limiter.forKey(9).tryAcquire(115, 1);

        assertWritten(limiter, HEAD + "A3 07 01 00  A0 08 01 03  A0 09 01 06  00 00");
    }

    @Test
    void writeTo_milliseconds_areTheUnit() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(5, Duration.ofSeconds(1)));
        limiter.forKey(7).tryAcquire(112, 1);
        limiter.forKey(8).tryAcquire(2_000_112, 1);
        limiter.forKey(8).tryAcquire(5_000_112, 1);

        assertWritten(limiter, HEAD + "A3 07 01 00  A2 08 02 0A 03  00 00");
    }

    @Test
    void writeTo_cancelled_hasNoEntry() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(FIVE);
        limiter.forKey(7).reserve(112, 1, nanos(50)).cancel();

        assertWritten(limiter, HEAD + "83 07 00 00 00 00");
    }

    @Test
    void writeTo_farFromTheBase_latestTimeAsItIs() throws IOException {
        KeyedLimiter<Integer> limiter = acquiring(List.of(Limit.of(5, nanos(1L << 61))), 7, 112);
        limiter.forKey(8).tryAcquire(112 + (1L << 55), 1);
        limiter.forKey(9).tryAcquire(111 + (1L << 55), 1);
        limiter.forKey(10).tryAcquire(112 + (1L << 60), 1);

        assertWritten(
                limiter,
                HEAD + "A3 07 01 00  E3 08 0080000000000070 01  A0 09 01 FEFFFFFFFFFFFF7F  E3 0A 1000000000000070 01"
                        + "00 00");
    }

    /** Version 1, as it was written once: it must stay readable, and is what is written today. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("stored")
    void storedForm_version1_isReadAndWritten(String name, String hex) throws IOException {
        CompactBytes<KeyedLimiter<Integer>> form = KeyedForms.ofEightKeys(
                List.of(Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofHours(1))));

        assertThat(form.hex(example(name))).isEqualTo(hex);
        KeyedLimiter<Integer> limiter = form.read(hex);
        limiter.checkInvariants();
        assertThat(form.hex(limiter)).isEqualTo(hex);
    }

    static Stream<String[]> stored() throws IOException {
        return CompactBytes.stored(KeyedCompactFormTest.class, "keyed-limiter-v1.txt");
    }

    private static KeyedLimiter<Integer> example(String name) {
        KeyedLimiter<Integer> two =
                KeyedLimiter.of(Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofHours(1)));
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

    @FromAnyStart
    void writeTo_threeGrantsInASecond_atMost20BytesAKey(long start) throws IOException {
        SplittableRandom random = Seed.random("three grants " + start);
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(3, Duration.ofDays(20_000)));
        for (int key = 0; key < 256; key++) {
            long time = start + (key % 8 == 0 ? random.nextLong() >> 4 : random.nextLong(3_600_000_000_000L));
            limiter.forKey(key).tryAcquire(time, 1);
            limiter.forKey(key).tryAcquire(time + random.nextLong(1, 500_000_000), 1);
            limiter.forKey(key).tryAcquire(time + 500_000_000 + random.nextLong(500_000_000), 1);
        }

        byte[] bytes = KeyedForms.bytes(limiter);

        assertThat(bytes.length - 12).isLessThanOrEqualTo(256 * (1 + 20));
        KeyedLimiter<Integer> copy = KeyedForms.read(bytes, 1, List.of(Limit.of(3, Duration.ofDays(20_000))));
        assertThat(copy.size()).isEqualTo(256);
    }

    // other limits

    /** A later limit may count them. */
    @Test
    void readFrom_noLimitPerCall_keepsTheCalls() throws IOException {
        KeyedLimiter<Integer> limiter = acquiring(List.of(Limit.ofCalls(9, nanos(10))), 7, 112, 112, 112);

        KeyedLimiter<Integer> read = KeyedForms.read(KeyedForms.bytes(limiter), 0, FIVE);

        assertThat(read.forKey(7).available(112)).isEqualTo(2);
        assertWritten(read, HEAD + "AF 07 01 00 02 02 00 00");
    }

    @Test
    void readFrom_limitsByKey_eachItsOwn() throws IOException {
        KeyedLimiter<Integer> written = acquiring(FIVE, 7, 112);
        written.forKey(8).tryAcquire(112, 1);

        KeyedLimiter<Integer> read =
                KeyedForms.read(KeyedForms.bytes(written), 0, key -> List.of(Limit.of(key, nanos(10))));

        assertThat(read.forKey(7).available(112)).isEqualTo(6);
        assertThat(read.forKey(8).available(112)).isEqualTo(7);
    }

    @Test
    void readFrom_functionOfLimitsThrows_propagates() throws IOException {
        KeyedLimiter<Integer> written = acquiring(FIVE, 7, 112);
        written.forKey(8).tryAcquire(112, 1);
        IllegalArgumentException unknown = new IllegalArgumentException("no such client");

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> KeyedForms.read(KeyedForms.bytes(written), 0, key -> {
                    if (key == 8) {
                        throw unknown;
                    }
                    return FIVE;
                }))
                .isSameAs(unknown);
    }

    /** The latest time of the second key is too far from that of the first to be relative to it. */
    @Test
    void readFrom_farFromTheBaseAndShifted_everyTimeIsLater() throws IOException {
        List<Limit> limits = List.of(Limit.of(5, nanos(1L << 61)));
        KeyedLimiter<Integer> limiter = acquiring(limits, 2, 10 - (1L << 60));
        limiter.forKey(1).tryAcquire(10, 4);

        KeyedLimiter<Integer> read = KeyedForms.read(KeyedForms.bytes(limiter), 1_000, limits);

        assertThat(read.forKey(1).available(1_010 + (1L << 61))).isEqualTo(1);
        assertThat(read.forKey(1).available(1_011 + (1L << 61))).isEqualTo(5);
        assertThat(read.forKey(2).available(1_010 + (1L << 60))).isEqualTo(4);
        assertThat(read.forKey(2).available(1_011 + (1L << 60))).isEqualTo(5);
    }

    /** A slot is pending, though nothing was ever granted: its time is the only one. */
    @Test
    void writeTo_closedKeyWithoutGrant_staysClosed() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(FIVE);
        limiter.forKey(7).closeFor(0, nanos(5));

        KeyedLimiter<Integer> read = KeyedForms.read(KeyedForms.bytes(limiter), 0, FIVE);

        assertThat(read.forKey(7).available(4)).isZero();
        assertThat(read.forKey(7).available(5)).isEqualTo(5);
    }

    // threads and calls meanwhile

    /** What a call in progress grants is written, if it has the lock first. */
    @Test
    @Timeout(60)
    void writeTo_keyInUse_waitsForTheCall() throws Exception {
        KeyedLimiter<Integer> limiter = acquiring(FIVE, 7, 1);
        SlidingLog log = requireNonNull(limiter.map().get(7)).log;
        assertThat(log.tryLock(PolledLock.ALONE)).isTrue();
        FutureTask<byte[]> writing = new FutureTask<>(() -> KeyedForms.bytes(limiter));
        Thread writer = new Thread(writing);

        writer.start();
        while (writer.getState() != Thread.State.TIMED_WAITING && writer.isAlive()) {
            Thread.onSpinWait();
        }
        log.grant(2, 2, 3);
        log.unlock();

        KeyedLimiter<Integer> read = KeyedForms.read(writing.get(), 0, FIVE);
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

        KeyedLimiter<Integer> read = KeyedForms.read(bytes.toByteArray(), 0, FIVE);

        assertThat(limiter.size()).isEqualTo(1);
        assertThat(read.forKey(2).tryAcquire(13, 1)).isTrue();
        assertThat(read.forKey(2).tryAcquireOrDelay(13, 5))
                .isEqualTo(14 + 11 - 13); // it counts at 14, where 3 has expired
    }

    // failures

    @Test
    void readFrom_keyTwice_theLaterOne() throws IOException {
        KeyedLimiter<Integer> limiter = read(HEAD + "A0 07 03 00 09 02  A0 08 01 00  A0 07 01 01  00 00", FIVE);

        assertThat(limiter.size()).isEqualTo(2);
        assertThat(limiter.forKey(7).available(111)).isEqualTo(4);
        limiter.evictIdle(1_000);
        assertThat(limiter.size()).isZero();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "4C; first byte: 76 (expected: 75)",
                "4B 00; version: 0 (expected: at most 1)",
                "4B 02; version: 2 (expected: at most 1)",
                HEAD + "7F; first byte of a key: 127 (expected: at least 128, or 0 after the last key)",
                HEAD + "A0 07 00; entries: 0 (expected: one or more, with these columns)",
                HEAD + "84 07 00; entries: 0 (expected: one or more, with these columns)",
                HEAD + "80 07 8080808008; entries: 2147483648 (expected: at most 2147483647)",
                HEAD + "A3 07 01 FFFFFFFFFFFFFFFF7F; latest time: -4611686018427387904 * 1000000000 ns"
                        + " (expected: less than 2^63 ns)",
                HEAD + "90 07 00 00 FFFFFFFFFFFFFFFF7F; delay of the last slot: 9223372036854775807"
                        + " (expected: at most 9223372036854775806)",
                HEAD + "83 07 01 00 FFFFFFFFFFFFFFFF7F; age of the oldest: 9223372036854775807"
                        + " (expected: at most 9223372036)",
                HEAD + "A0 07 03 00 09 00; distance: 0 (expected: at least 1)",
                HEAD + "A0 07 03 00 09 0A; distance: 10 (expected: at most 9)",
                HEAD + "A0 07 03 00 09 09; distance: up to the last slot"
                        + " (expected: less, since another entry is there)",
                HEAD + "A0 07 02 00 00; distance: up to the last slot (expected: less, since another entry is there)",
                HEAD + "A4 07 01 00 FFFFFFFFFFFFFFFF7F; permits after the first: 9223372036854775807"
                        + " (expected: at most 4611686018427387903)",
                HEAD + "AC 07 01 00 01 02; calls after the first: 2 (expected: at most 1)",
                HEAD + "00 02; eviction times: 2 (expected: 0 or 1)",
            })
    void readFrom_malformed_saysWhatIsWrong(String hex, String message) {
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> KeyedForms.read(CompactBytes.parse(hex), 0, FIVE))
                .withMessage("KeyedLimiter: " + message);
    }

    @Test
    void readFrom_severalInOneStream_eachReadsItsOwnBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String name : new String[] {"new", "weights", "evicted"}) {
            example(name).writeTo(out, (key, o) -> o.writeByte(key));
            out.writeByte(0x77);
        }
        DataInputStream in = CompactBytes.input(bytes.toByteArray());
        for (int keys : new int[] {0, 2, 2}) {
            KeyedLimiter<Integer> limiter = KeyedLimiter.readFrom(in, DataInput::readUnsignedByte, 0, key -> FIVE);

            assertThat(limiter.size()).isEqualTo(keys);
            assertThat(in.readByte()).isEqualTo((byte) 0x77);
        }
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void writeTo_failure_propagatesAndNoLockIsHeld() {
        IOException failure = new IOException("disk full");
        KeyedLimiter<Integer> limiter = acquiring(FIVE, 7, 1);

        assertThatIOException()
                .isThrownBy(() -> limiter.writeTo(CompactBytes.failingOutput(failure), (key, out) -> {}))
                .isSameAs(failure);
        assertThatIOException()
                .isThrownBy(() -> limiter.writeTo(new DataOutputStream(OutputStream.nullOutputStream()), (key, out) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(limiter.forKey(7).tryAcquire(1, 4)).isTrue();
    }

    @Test
    void readFrom_failureOfTheKeysReader_propagates() throws IOException {
        byte[] bytes = KeyedForms.bytes(acquiring(FIVE, 7, 1));
        IOException failure = new IOException("disk gone");
        IllegalArgumentException wrong = new IllegalArgumentException("no such client");

        assertThatIOException()
                .isThrownBy(() -> KeyedLimiter.readFrom(CompactBytes.failingInput(failure), in -> 0, 0, key -> FIVE))
                .isSameAs(failure);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> KeyedLimiter.readFrom(
                        CompactBytes.input(bytes),
                        in -> {
                            throw wrong;
                        },
                        0,
                        key -> FIVE))
                .isSameAs(wrong);
    }

    @Test
    void null_isRejected() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(FIVE);
        DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());
        byte[] bytes = KeyedForms.bytes(acquiring(FIVE, 7, 1));
        DataInputStream in = CompactBytes.input(bytes);

        assertThatNullPointerException()
                .isThrownBy(() -> limiter.writeTo(null, (key, o) -> {}))
                .withMessage("out");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.writeTo(out, null))
                .withMessage("keys");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(null, i -> 0, 0, key -> FIVE))
                .withMessage("in");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, null, 0, key -> FIVE))
                .withMessage("keys");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, i -> 0, 0, null))
                .withMessage("limitsOf");
        assertThatNullPointerException()
                .isThrownBy(() -> KeyedLimiter.readFrom(in, i -> null, 0, key -> FIVE))
                .withMessage("key");
    }

    /** Copies of three times and what holds them; no copy of all keys, nor of the bytes. */
    @Test
    void writeTo_manyKeys_allocatesLittleForEach() throws IOException {
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(3, nanos(1_000)));
        for (int i = 0; i < 30_000; i++) {
            limiter.forKey(i / 3).tryAcquire(i % 3, 1);
        }
        DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());
        Runnable write = () -> {
            try {
                limiter.writeTo(out, (key, o) -> o.writeInt(key));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        write.run();

        assertThat(Allocation.of(write) / 10_000).isLessThan(400);
    }
}
