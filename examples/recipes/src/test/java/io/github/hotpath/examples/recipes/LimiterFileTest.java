package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimiterFileTest {
    private static final Limit TWO = Limit.of(2, Duration.ofNanos(100));
    private static final Limit THREE = Limit.of(3, Duration.ofNanos(100));
    private static final Instant WRITTEN = Instant.parse("2026-11-20T12:00:00.123456789Z");

    @TempDir
    private Path dir;

    private Path path;

    /** Two clients, one of which has used up its limit at 960 and 990; written at 1000. */
    @BeforeEach
    void write() throws IOException {
        path = dir.resolve("sub/limits");
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);
        SlidingWindowLimiter all = SlidingWindowLimiter.of(THREE);
        for (long time : new long[] {960, 990}) {
            all.tryAcquire(time, 1);
            each.forKey("192.0.2.1").tryAcquire(time, 1);
        }
        all.tryAcquire(995, 1);
        each.forKey("2001:db8::").tryAcquire(995, 1);
        file(1000, WRITTEN).write(all, each);
    }

    private LimiterFile file(long nanos, Instant wall) {
        return new LimiterFile(new DurableFile(path), () -> nanos, () -> wall);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -30, 0, 1000, Long.MAX_VALUE})
    void read_otherClock_eachIsAsItWas(long nanos) throws IOException {
        LimiterFile.Limiters read = file(nanos, WRITTEN.plusNanos(20)).read(TWO);
        SlidingWindowLimiter all = read.all();
        KeyedLimiter<String> each = read.each();

        assertThat(each.size()).isEqualTo(2);
        assertThat(each.forKey("192.0.2.1").tryAcquireOrDelay(nanos, 1)).isEqualTo(101 - 60);
        assertThat(each.forKey("2001:db8::").available(nanos)).isEqualTo(1);
        assertThat(each.forKey("192.0.2.7").available(nanos)).isEqualTo(2);
        assertThat(all.tryAcquireOrDelay(nanos, 1)).isEqualTo(101 - 60);
        assertThat(all.limits()).containsExactly(THREE);
    }

    /** Not to be told from a later time: a client may be granted its limit once more. */
    @Test
    void read_wallClockSetForward_countsAsTimeThatHasPassed() throws IOException {
        KeyedLimiter<String> each = file(0, WRITTEN.plusSeconds(3600)).read(TWO).each();

        assertThat(each.forKey("192.0.2.1").available(0)).isEqualTo(2);
    }

    @Test
    void read_noFile_saysSo() throws IOException {
        Files.delete(path);

        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> file(0, WRITTEN).read(TWO));
    }
}
