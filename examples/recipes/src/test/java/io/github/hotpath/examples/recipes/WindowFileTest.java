package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowFileTest {
    private static final Duration INTERVAL = Duration.ofNanos(100);
    private static final Instant WRITTEN = Instant.parse("2026-11-20T12:00:00.123456789Z");
    private static final int NANOS_AT = 4;
    private static final int VERSION_AT = NANOS_AT + 8 + 8 + 1;

    @TempDir
    private Path dir;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = dir.resolve("sub/window");
    }

    /** Three events, 100, 40 and 10 old. */
    private void write() throws IOException {
        EventWindow window = EventWindow.of(INTERVAL);
        window.record(899); // has expired when it is written
        window.record(900);
        window.record(960);
        window.record(990);
        file(1000, WRITTEN).write(window);
    }

    private WindowFile file(long nanos, Instant wall) {
        return new WindowFile(path, () -> nanos, () -> wall);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -30, 0, 1000, Long.MAX_VALUE})
    void readInto_otherOrigin_eventsOfTheirAges(long nanos) throws IOException {
        write();
        EventWindow window = EventWindow.of(INTERVAL);

        file(nanos, WRITTEN).readInto(window);

        assertThat(window.toArray()).containsExactly(nanos - 100, nanos - 40, nanos - 10);
    }

    @Test
    void readInto_later_wallTimeIsAdded() throws IOException {
        write();
        EventWindow window = EventWindow.of(INTERVAL);

        file(5000, WRITTEN.plusNanos(60)).readInto(window);

        assertThat(window.toArray()).containsExactly(5000 - 100, 5000 - 70);
        assertThat(window.count(5000)).isEqualTo(2);
        assertThat(window.count(5001)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000101S", "PT1H", "P400000D"})
    void readInto_afterTheInterval_empty(Duration passed) throws IOException {
        write();

        assertThat(read(WRITTEN.plus(passed)).count(5000)).isZero();
    }

    @Test
    void readInto_shorterWindow_itsEvents() throws IOException {
        write();
        EventWindow window = EventWindow.of(Duration.ofNanos(40));

        file(0, WRITTEN).readInto(window);

        assertThat(window.toArray()).containsExactly(-40, -10);
    }

    @Test
    void readInto_longerWindow_refused() throws IOException {
        write();

        assertRefused(
                EventWindow.of(INTERVAL.plusNanos(1)),
                WRITTEN,
                "has the events of PT0.0000001S, which is less than PT0.000000101S");
    }

    @Test
    void readInto_wallClockSetBack_refused() throws IOException {
        write();

        assertRefused(
                EventWindow.of(INTERVAL),
                WRITTEN.minusNanos(1),
                "written at 2026-11-20T12:00:00.123456789Z, which is later than now, 2026-11-20T12:00:00.123456788Z");
        assertRefused(EventWindow.of(INTERVAL), Instant.EPOCH, "which is later than now, 1970-01-01T00:00:00Z");
    }

    @Test
    void readInto_noFile_saysSo() {
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(WRITTEN));
    }

    /** The file may be good, so it must not be reported as damaged. */
    @Test
    void readInto_cannotBeRead_notDamaged() throws IOException {
        Files.createDirectories(path);

        assertThatIOException().isThrownBy(() -> read(WRITTEN)).isNotInstanceOf(RestartFile.DamagedException.class);
    }

    @Test
    void readInto_truncatedAnywhere_damaged() throws IOException {
        write();
        byte[] bytes = Files.readAllBytes(path);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(path, Arrays.copyOf(bytes, length));

            assertDamaged("the checksum is wrong");
        }
    }

    @Test
    void readInto_anyBitAltered_damaged() throws IOException {
        write();
        byte[] bytes = Files.readAllBytes(path);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] altered = bytes.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(path, altered);

            assertDamaged("");
        }
    }

    @Test
    void readInto_laterForm_damagedByName() throws IOException {
        write();

        writeWithChecksum(ByteBuffer.wrap(Files.readAllBytes(path)).put(VERSION_AT, (byte) 2));

        assertDamaged("version: 2 (expected: from 1 to 1)");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12, 19, 20, 26})
    void readInto_checksumOfTooLittle_damaged(int length) throws IOException {
        write();

        writeWithChecksum(ByteBuffer.wrap(Arrays.copyOf(Files.readAllBytes(path), length)));

        assertDamaged("EOFException");
    }

    @Test
    void readInto_checksumOfMoreThanTheWindow_damaged() throws IOException {
        write();
        byte[] bytes = Files.readAllBytes(path);

        writeWithChecksum(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 3)));

        assertDamaged("3 bytes after the content");
    }

    /** Its age is more than a {@code long} of nanoseconds holds: taken as signed, it would be of the future. */
    @Test
    void readInto_eventOlderThanALong_hasExpired() throws IOException {
        EventWindow window = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));
        window.record(0);
        window.record(Long.MAX_VALUE - 10);
        file(Long.MIN_VALUE + 10, WRITTEN).write(window);
        EventWindow read = EventWindow.of(Duration.ofNanos(Long.MAX_VALUE));

        file(Long.MIN_VALUE + 10, WRITTEN).readInto(read);

        assertThat(read.toArray()).containsExactly(Long.MAX_VALUE - 10);
    }

    /** Numbers of a good file replaced by any others, with a right checksum. */
    @Test
    void readInto_checksumOfAnyNumbers_failsAsItSaysOrHasEventsInTheInterval() throws IOException {
        write();
        byte[] good = Files.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(28);
        for (int i = 0; i < 3000; i++) {
            ByteBuffer content = ByteBuffer.wrap(good.clone());
            for (int left = random.nextInt(1, 4); left > 0; left--) {
                int at = random.nextInt(NANOS_AT, good.length);
                if (random.nextBoolean() && at <= good.length - Long.BYTES) {
                    content.putLong(at, random.nextLong() >> random.nextInt(64));
                } else {
                    content.put(at, (byte) random.nextInt());
                }
            }
            writeWithChecksum(content);
            long interval = random.nextLong(1L << random.nextInt(1, 63));
            EventWindow window = EventWindow.of(Duration.ofNanos(interval));
            try {
                file(5000, WRITTEN).readInto(window);
                for (long time : window.toArray()) {
                    assertThat(5000 - time).isLessThanOrEqualTo(interval);
                }
            } catch (FileSystemException e) {
                assertThat(window.toArray()).isEmpty();
            }
        }
    }

    @Test
    void write_someHaveExpired_windowUnchanged() throws IOException {
        EventWindow window = EventWindow.of(INTERVAL);
        window.record(900);
        window.record(990);

        file(1001, WRITTEN).write(window);

        assertThat(window.toArray()).containsExactly(900, 990);
        assertThat(read(WRITTEN).toArray()).containsExactly(5000 - 11);
    }

    @Test
    void write_snapshot_eventsOfItsMoment() throws IOException {
        EventWindow window = EventWindow.of(INTERVAL);
        window.record(990);
        byte[] snapshot = file(1000, WRITTEN).snapshot(window);
        window.record(1001);

        file(2000, WRITTEN.plusSeconds(1)).write(snapshot);

        assertThat(read(WRITTEN).toArray()).containsExactly(5000 - 10);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a file that somebody reads cannot be replaced there")
    void readInto_whileWritten_oldOneOrNewOne() throws Exception {
        write();
        FutureTask<Void> writing = new FutureTask<>(() -> {
            for (int i = 0; i < 30; i++) {
                write();
            }
            return null;
        });
        new Thread(writing).start();

        while (!writing.isDone()) {
            assertThat(read(WRITTEN).count(5000)).isEqualTo(3);
        }
        writing.get();
    }

    private EventWindow read(Instant wall) throws IOException {
        EventWindow window = EventWindow.of(INTERVAL);
        file(5000, wall).readInto(window);
        return window;
    }

    private void writeWithChecksum(ByteBuffer content) throws IOException {
        CRC32C checksum = new CRC32C();
        checksum.update(content.array(), 4, content.capacity() - 4);
        Files.write(path, content.putInt(0, (int) checksum.getValue()).array());
    }

    private void assertRefused(EventWindow window, Instant wall, String reason) {
        assertThrown(FileSystemException.class, window, wall, reason);
    }

    private void assertDamaged(String reason) {
        assertThrown(RestartFile.DamagedException.class, EventWindow.of(INTERVAL), WRITTEN, reason);
    }

    private void assertThrown(
            Class<? extends FileSystemException> type, EventWindow window, Instant wall, String reason) {
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> file(5000, wall).readInto(window))
                .isExactlyInstanceOf(type)
                .withMessageStartingWith(path + ": ")
                .withMessageContaining(reason);
        assertThat(window.toArray()).isEmpty();
    }
}
