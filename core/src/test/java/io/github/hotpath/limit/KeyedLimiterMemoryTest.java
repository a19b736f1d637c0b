package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.testing.ChildJvm;
import io.github.hotpath.testing.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a live key takes, with all that is kept for it, and what its calls allocate. */
class KeyedLimiterMemoryTest {
    /** So many that the table of the map has just doubled, which is its worst. */
    private static final int KEYS = 1_600;

    @ParameterizedTest
    @CsvSource({"1, 450", "2, 500"})
    void liveKey_withThreePermits_takesAtMost(int limits, long most) {
        KeyedLimiter<Long> limiter = KeyedLimiter.of(Stream.iterate(3L, permits -> permits + 1)
                .limit(limits)
                .map(permits -> Limit.of(permits, Duration.ofHours(permits)))
                .toList());
        for (long key = 0; key < KEYS; key++) {
            for (long time = 3 * key; time < 3 * key + 3; time++) {
                assertThat(limiter.forKey(key).tryAcquire(time, 1)).isTrue();
            }
        }

        assertThat(Memory.bytes(limiter) / KEYS).isBetween(100L, most);
        assertThat(limiter.size()).isEqualTo(KEYS);
    }

    /**
     * Where the calls of a program are compiled by themselves, in a JVM of its own: no object is made for the view of a
     * key. They wait for the compiler, which on a busy machine may be late.
     */
    @Test
    @Tag("slow")
    void tryAcquireAndOrDelay_ofBusyKeys_allocateNothing(@TempDir Path temp) throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp, KeyedLimiter.class, Arguments.class, KeyedLimiterMemoryTest.class)
                .run(KeyedAllocationProgram.class, List.of("-XX:+UseSerialGC", "-Xbatch"));

        assertThat(Long.parseLong(printed.get(0))).isLessThan(2_048); // of two million calls
    }
}
