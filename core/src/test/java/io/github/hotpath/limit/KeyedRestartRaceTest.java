package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.github.hotpath.testing.AtOnce;
import io.github.hotpath.testing.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that are written, and read, while threads acquire permits. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KeyedRestartRaceTest {
    private static final long START = Long.MAX_VALUE - 50_000;
    private static final int KEYS_OF_A_THREAD = 150_000;
    private static final int INTERVAL = 3_000;

    /** A thread that acquires the only permit of one key after the other, each at a time of its own. */
    private static final class Acquiring implements Runnable {
        private final KeyedLimiter<Integer> limiter;
        private final AtomicLong clock;
        private final CountDownLatch written;
        private final int firstKey;
        private final long[] times = new long[KEYS_OF_A_THREAD];

        /** How many permits have been acquired; written after the time of the last. */
        private volatile int acquired;

        Acquiring(KeyedLimiter<Integer> limiter, AtomicLong clock, CountDownLatch written, int number) {
            this.limiter = limiter;
            this.clock = clock;
            this.written = written;
            this.firstKey = number * KEYS_OF_A_THREAD;
        }

        @Override
        public void run() {
            for (int i = 0; i < KEYS_OF_A_THREAD; i++) {
                times[i] = clock.incrementAndGet();
                assertThat(limiter.forKey(firstKey + i).tryAcquire(times[i], 1)).isTrue();
                acquired = i + 1;
                if (i == KEYS_OF_A_THREAD / 2) { // so the state is copied once at least meanwhile
                    Uninterruptibles.awaitUninterruptibly(written);
                }
            }
        }

        /** Checks that the last of {@code number} permits count in a limiter that was written after them. */
        void checkIn(KeyedLimiter<Integer> read, int number) {
            for (int i = Math.max(0, number - INTERVAL); i < number; i++) {
                long last = times[i] + INTERVAL;
                if (!read.map.hasEvicted() || last - read.map.evictedAt() >= 0) {
                    assertThat(read.forKey(firstKey + i).available(last))
                            .as("of the key number %d, which counts until %d", i, last)
                            .isZero();
                }
            }
        }
    }

    /**
     * Keys are evicted all the time, also before they are written. One that was written neither as such, nor is
     * covered by the eviction time, could be granted twice in an interval.
     */
    @Test
    void writeTo_whileKeysAreAddedAndEvicted_nothingAcquiredBeforeIsMissing() {
        Limit one = Limit.of(1, Duration.ofNanos(INTERVAL));
        KeyedLimiter<Integer> limiter = KeyedLimiter.of(one);
        AtomicLong clock = new AtomicLong(START);
        CountDownLatch written = new CountDownLatch(1);
        Acquiring a = new Acquiring(limiter, clock, written, 0);
        Acquiring b = new Acquiring(limiter, clock, written, 1);

        new AtOnce()
                .on(1, a)
                .on(1, b)
                .watchedBy(() -> {
                    int ofA = a.acquired;
                    int ofB = b.acquired;
                    try {
                        KeyedLimiter<Integer> read = copy(limiter, List.of(one));
                        a.checkIn(read, ofA);
                        b.checkIn(read, ofB);
                    } finally {
                        written.countDown();
                    }
                })
                .run();

        assertThat(limiter.size()).as("some were evicted").isLessThan(KEYS_OF_A_THREAD);
        Invariants.check(limiter);
    }

    private static KeyedLimiter<Integer> copy(KeyedLimiter<Integer> limiter, List<Limit> limits) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            limiter.writeTo(new DataOutputStream(bytes), (key, out) -> out.writeInt(key));
            KeyedLimiter<Integer> read = KeyedLimiter.readFrom(
                    CompactBytes.input(bytes.toByteArray()), DataInput::readInt, 0, key -> limits);
            Invariants.check(read);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
