package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows of random calls, written and read again, whole and damaged. */
class CompactFormModelTest {
    private static final long[] INTERVALS = {0, 10, 5_000, 60_000_000_000L, (1L << 62) + 3, Long.MAX_VALUE};

    /** A byte of input is an event at least, and that takes 8 bytes, in a chunk that may be four times too long. */
    private static final long MEMORY_PER_BYTE = 64;

    /** Exceptions, streams and buffers. */
    private static final long MEMORY_ELSE = 32 << 10;

    @ParameterizedTest(name = "{0}, interval {1}, from {2}")
    @MethodSource("cases")
    void readFrom_amongAnyCalls_answersAsTheModel(Traffic.Kind kind, long interval, long start) throws IOException {
        SplittableRandom random = Seed.random("read among " + kind + interval + start);
        EventWindow window = Windows.ofNanos(interval);
        NaiveWindow model = new NaiveWindow(interval);
        Traffic traffic = new Traffic(kind, interval, start, random);

        for (int left = kind.isLarge() ? 6_000 : 800; left > 0; left--) {
            if (random.nextInt(1 + model.size() / 8) == 0) {
                window = Bytes.copy(window);
                Invariants.check(window);
            }
            Operation call = traffic.next(model.size());
            assertThat(call.on(window)).as("%s, %s", call, Seed.hint()).isEqualTo(call.on(model));
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> LongStream.of(INTERVALS)
                        .boxed()
                        .flatMap(interval -> LongStream.of(Long.MAX_VALUE - interval, -1)
                                .mapToObj(start -> Arguments.of(kind, interval, start))));
    }

    @ParameterizedTest
    @EnumSource(Traffic.Kind.class)
    void readFrom_damagedAnywhere_failsAsItSaysOrIsAWindow(Traffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("damaged " + kind);
        for (int i = 0; i < 15; i++) {
            byte[] bytes = Bytes.of(randomWindow(kind, random));

            for (int length = 0; length < bytes.length; length++) {
                assertThat(outcome(Arrays.copyOf(bytes, length))).isEqualTo("truncated");
            }
            for (int bit = 0; bit < 8 * bytes.length; bit++) {
                byte[] damaged = bytes.clone();
                damaged[bit / 8] ^= (byte) (1 << bit % 8);
                assertBounded(damaged);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Traffic.Kind.class)
    void readFrom_anyBytesBehindAHeader_failsAsItSaysOrIsAWindow(Traffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("any bytes " + kind);
        for (int i = 0; i < 400; i++) {
            byte[] bytes = new byte[random.nextInt(1 << random.nextInt(13))];
            random.nextBytes(bytes);
            byte[] head = Bytes.of(randomWindow(kind, random));
            int kept = random.nextInt(head.length);
            System.arraycopy(head, 0, bytes, 0, Math.min(kept, bytes.length));
            assertBounded(bytes);
        }
    }

    private static EventWindow randomWindow(Traffic.Kind kind, SplittableRandom random) {
        long interval = random.nextLong() >>> 1 + random.nextInt(63);
        EventWindow window = Windows.ofNanos(interval);
        Traffic traffic = new Traffic(kind, interval, random.nextLong(), random);
        for (int calls = random.nextInt(60); calls > 0; calls--) {
            traffic.next(0).on(window);
        }
        return window;
    }

    private static void assertBounded(byte[] bytes) {
        assertThat(outcome(bytes)).as(Seed.hint()).isIn("truncated", "malformed", "a window");

        long allocated = Allocation.of(() -> outcome(bytes)); // the second time: no class is initialized in it

        assertThat(allocated).isLessThan(MEMORY_ELSE + MEMORY_PER_BYTE * bytes.length);
    }

    private static String outcome(byte[] bytes) {
        try {
            Invariants.check(Bytes.read(bytes));
            return "a window";
        } catch (EOFException e) {
            return "truncated";
        } catch (StreamCorruptedException e) {
            return "malformed";
        } catch (IOException | RuntimeException e) {
            return e.toString();
        }
    }
}
