package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;
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
            each.tryAcquire("192.0.2.1", time, 1);
        }
        all.tryAcquire(995, 1);
        each.tryAcquire("2001:db8::", 995, 1);
        file(1000, WRITTEN).write(all, each);
    }

    private LimiterFile file(long nanos, Instant wall) {
        return new LimiterFile(new DurableFile(path), () -> nanos, () -> wall);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -30, 0, 1000, Long.MAX_VALUE})
    void readInto_otherClock_eachIsAsItWas(long nanos) throws IOException {
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);

        SlidingWindowLimiter all = file(nanos, WRITTEN.plusNanos(20)).readInto(each);

        assertThat(each.size()).isEqualTo(2);
        assertThat(each.tryAcquireOrDelay("192.0.2.1", nanos, 1)).isEqualTo(101 - 60);
        assertThat(each.available("2001:db8::", nanos)).isEqualTo(1);
        assertThat(each.available("192.0.2.7", nanos)).isEqualTo(2);
        assertThat(all.tryAcquireOrDelay(nanos, 1)).isEqualTo(101 - 60);
        assertThat(all.limits()).containsExactly(THREE);
    }

    /** Not to be told from a later time: a client may be granted its limit once more. */
    @Test
    void readInto_wallClockSetForward_countsAsTimeThatHasPassed() throws IOException {
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);

        file(0, WRITTEN.plusSeconds(3600)).readInto(each);

        assertThat(each.available("192.0.2.1", 0)).isEqualTo(2);
    }

    @Test
    void readInto_wallClockSetBack_isRefusedAndTheFileStays() throws IOException {
        byte[] before = Files.readAllBytes(path);
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);

        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> file(0, WRITTEN.minusNanos(1)).readInto(each))
                .isNotInstanceOf(RestartFile.DamagedException.class)
                .withMessageContaining("which is later than now");
        assertThat(each.size()).isZero();
        assertThat(Files.readAllBytes(path)).isEqualTo(before);
    }

    @Test
    void readInto_noFile_saysSo() throws IOException {
        Files.delete(path);

        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> file(0, WRITTEN).readInto(KeyedLimiter.of(TWO)));
    }

    @Test
    void readInto_truncatedOrAlteredAnywhere_isDamagedAndThereAreNoClients() throws IOException {
        byte[] good = Files.readAllBytes(path);
        for (int at = 0; at < good.length; at++) {
            assertDamaged(Arrays.copyOf(good, at));
            byte[] altered = good.clone();
            altered[at] ^= (byte) (1 << at % 8);
            assertDamaged(altered);
        }
    }

    @Test
    void readInto_checksumOfMoreThanTheLimiters_isDamagedAndThereAreNoClients() throws IOException {
        byte[] good = Files.readAllBytes(path);
        ByteArrayOutputStream longer = new ByteArrayOutputStream();
        longer.write(good);
        longer.write(0);
        byte[] content = longer.toByteArray();
        CRC32C checksum = new CRC32C();
        checksum.update(content, 4, content.length - 4);

        assertDamaged(
                ByteBuffer.wrap(content).putInt(0, (int) checksum.getValue()).array());
    }

    private void assertDamaged(byte[] content) throws IOException {
        Files.write(path, content);
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);

        assertThatExceptionOfType(RestartFile.DamagedException.class)
                .isThrownBy(() -> file(0, WRITTEN).readInto(each))
                .withMessageStartingWith(path + ": ");
        assertThat(each.size()).isZero();
    }

    @Test
    void write_fails_theOldOneStays() throws IOException {
        byte[] before = Files.readAllBytes(path);
        DurableFile denied = new DurableFile(
                path,
                (from, to) -> {
                    throw new AccessDeniedException(to.toString());
                },
                nanos -> {});

        assertThatExceptionOfType(AccessDeniedException.class)
                .isThrownBy(() -> new LimiterFile(denied, () -> 0, () -> WRITTEN)
                        .write(SlidingWindowLimiter.of(THREE), KeyedLimiter.of(TWO)));
        assertThat(path.getParent().toFile().list()).containsExactly("limits");
        assertThat(Files.readAllBytes(path)).isEqualTo(before);
    }
}
