package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import io.github.hotpath.window.ErrorSource;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.StackDiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors at moments that the random calls of {@link LimiterErrorsTest} seldom hit. In JVMs of their own. */
@Tag("slow")
class ErrorMomentsTest {
    private static List<String> lines(Path temp, Class<?> program, String... options) throws Exception {
        return new ChildJvm(temp, Limiter.class, Arguments.class, ErrorMomentsTest.class, StackDiver.class)
                .run(program, List.of(options));
    }

    /** A cancellation takes effect, and once only, though there is no memory to compact the log then. */
    @Test
    void cancel_noMemoryToCompact_hasTakenEffect(@TempDir Path temp) throws Exception {
        assertThat(lines(temp, NoMemory.class, "-Xmx16m", "-XX:+UseSerialGC"))
                .containsExactly("taken effect though an error was thrown: true");
    }

    /** A key is added to all that holds it, or to nothing, wherever the stack ends. */
    @Test
    void tryAcquire_newKeyAndStackOverflows_isAddedOrNot(@TempDir Path temp) throws Exception {
        assertThat(lines(temp, NoStack.class, "-XX:TieredStopAtLevel=1")).containsExactly("300 keys");
    }

    static final class NoStack {
        private static final int KEYS = 300;

        private NoStack() {}

        public static void main(String[] unused) {
            KeyedLimiter<Integer> limiter = KeyedLimiter.of(Limit.of(1_000_000, Duration.ofSeconds(1)));
            SplittableRandom random = Seed.random("keys");
            for (int i = 0; i < KEYS; i++) {
                int key = i;
                ErrorSource calls = new ErrorSource(key) {
                    @Override
                    public void make() {
                        limiter.forKey(key).tryAcquire(0, 1);
                    }

                    @Override
                    public boolean hasRoom() {
                        return true;
                    }
                };
                StackDiver.overflow(new ErrorSource[] {calls}, random, "key " + key);
                calls.checkAnswers();
                limiter.checkInvariants();
                calls.make();
            }
            System.out.println(limiter.size() + " keys");
        }
    }

    static final class NoMemory {
        private static final int GRANTED = 4_000;

        /** As many cancelled entries as stay, and then the log is compacted, or is to be by each one that follows. */
        private static final int HALF = GRANTED / 2;

        private NoMemory() {}

        public static void main(String[] unused) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(GRANTED, Duration.ofSeconds(1)));
            List<Reservation> reservations = IntStream.range(0, GRANTED)
                    .mapToObj(time -> limiter.reserve(time, 1, Duration.ZERO))
                    .toList();
            byte[][] ballast = new byte[1 << 14][];
            boolean hasTakenEffect = false;
            for (int i = 0; i < HALF + 20; i++) {
                boolean isThrown = false;
                if (Math.abs(i - HALF) < 10) {
                    load(ballast);
                    isThrown = throwsError(reservations.get(i));
                    Arrays.fill(ballast, null);
                    hasTakenEffect |= isThrown && limiter.available(GRANTED) == i + 1;
                }
                reservations.get(i).cancel();
                if (limiter.available(GRANTED) != i + 1) {
                    throw new AssertionError(limiter.available(GRANTED) + ", not " + (i + 1) + ", thrown: " + isThrown);
                }
            }
            limiter.checkInvariants(); // with memory it was compacted
            System.out.println("taken effect though an error was thrown: " + hasTakenEffect);
        }

        private static boolean throwsError(Reservation reservation) {
            try {
                reservation.cancel();
                return false;
            } catch (OutOfMemoryError e) {
                return true;
            }
        }

        /** Leaves less memory in one piece than the compacted log takes, and more than the cancellation. */
        private static void load(byte[][] ballast) {
            int count = 0;
            for (int size = 1 << 20; size >= 1 << 13; size /= 2) {
                try {
                    while (true) {
                        ballast[count] = new byte[size];
                        count++;
                    }
                } catch (OutOfMemoryError full) {
                    // on with smaller ones
                }
            }
        }
    }
}
