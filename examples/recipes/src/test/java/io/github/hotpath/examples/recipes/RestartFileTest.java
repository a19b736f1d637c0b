package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.DataInput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.SyncFailedException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestartFileTest {
    private static final Duration INTERVAL = Duration.ofNanos(100);
    private static final Limit TWO = Limit.of(2, INTERVAL);
    private static final Limit THREE = Limit.of(3, INTERVAL);
    private static final Instant WRITTEN = Instant.parse("2026-11-20T12:00:00.123456789Z");
    private static final int NANOS_AT = 4;
    private static final int VERSION_AT = NANOS_AT + 8 + 8 + 1;

    @TempDir
    private Path dir;

    private Path path;

    /** Three events, 100, 40 and 10 old. */
    @BeforeEach
    void writeWindow() throws IOException {
        path = dir.resolve("sub/state");
        EventWindow window = EventWindow.of(INTERVAL);
        window.record(900);
        window.record(960);
        window.record(990);
        write(window);
    }

    private void write(EventWindow window) throws IOException {
        RestartFile file = file(1000, WRITTEN);
        file.write(file.snapshot(window::writeTo));
    }

    private RestartFile file(long nanos, Instant wall) {
        return new RestartFile(path, () -> nanos, () -> wall);
    }

    private EventWindow read(long nanos, Instant wall) throws IOException {
        return file(nanos, wall).read(EventWindow::readFrom);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -30, 0, 1000, Long.MAX_VALUE})
    void read_window_eventsOfTheirAges(long nanos) throws IOException {
        assertThat(read(nanos, WRITTEN).toArray()).containsExactly(nanos - 100, nanos - 40, nanos - 10);

        EventWindow later = read(nanos, WRITTEN.plusNanos(60));
        assertThat(later.count(nanos)).isEqualTo(2);
        assertThat(later.count(nanos + 1)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -30, 0, 1000, Long.MAX_VALUE})
    void read_limiters_eachIsAsItWas(long nanos) throws IOException {
        SlidingWindowLimiter all = SlidingWindowLimiter.of(THREE);
        KeyedLimiter<String> each = KeyedLimiter.of(TWO);
        for (long time : new long[] {960, 990}) {
            all.tryAcquire(time, 1);
            each.forKey("192.0.2.1").tryAcquire(time, 1);
        }
        all.tryAcquire(995, 1);
        each.forKey("2001:db8::").tryAcquire(995, 1);
        RestartFile file = file(1000, WRITTEN);
        file.write(file.snapshot(out -> {
            all.writeTo(out);
            each.writeTo(out, (client, keyOut) -> keyOut.writeUTF(client));
        }));

        KeepLimits.Limiters read = file(nanos, WRITTEN.plusNanos(20))
                .read((in, shiftNanos) -> new KeepLimits.Limiters(
                        SlidingWindowLimiter.readFrom(in, shiftNanos),
                        KeyedLimiter.readFrom(in, DataInput::readUTF, shiftNanos, client -> List.of(TWO))));

        assertThat(read.each().size()).isEqualTo(2);
        assertThat(read.each().forKey("192.0.2.1").tryAcquireOrDelay(nanos, 1)).isEqualTo(101 - 60);
        assertThat(read.each().forKey("2001:db8::").available(nanos)).isEqualTo(1);
        assertThat(read.each().forKey("192.0.2.7").available(nanos)).isEqualTo(2);
        assertThat(read.all().tryAcquireOrDelay(nanos, 1)).isEqualTo(101 - 60);
        assertThat(read.all().limits()).containsExactly(THREE);
    }

    @Test
    void read_concurrentWindow_eventsOfTheirAges() throws IOException {
        ConcurrentEventWindow window = ConcurrentEventWindow.of(INTERVAL);
        window.record(990);
        RestartFile file = file(1000, WRITTEN);
        file.write(file.snapshot(window.snapshot()::writeTo));

        assertThat(read(5000, WRITTEN).toArray()).containsExactly(5000 - 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000101S", "PT1H", "P400000D"})
    void read_afterTheInterval_empty(Duration passed) throws IOException {
        assertThat(read(5000, WRITTEN.plus(passed)).count(5000)).isZero();
    }

    /** By an hour, a new client would get its limit 61 times, if times of the future were read as they are. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-11-20T12:00:00.123456788Z", "2026-11-20T11:00:00Z", "1970-01-01T00:00:00Z"})
    void read_wallClockSetBack_noTimeHasPassed(Instant now) throws IOException {
        assertThat(read(5000, now).toArray()).containsExactly(5000 - 100, 5000 - 40, 5000 - 10);
    }

    /** A pause between the readings of the two clocks may make events younger, but never older. */
    @ParameterizedTest
    @CsvSource({"30, 0", "0, 30"})
    void snapshotAndRead_pauseBetweenTheClocks_eventsNotOlder(int writing, int reading) throws IOException {
        AtomicLong time = new AtomicLong(1000);
        AtomicLong pause = new AtomicLong(writing);
        RestartFile slow = new RestartFile(
                path, () -> time.getAndAdd(pause.get()), () -> WRITTEN.plusNanos(time.getAndAdd(pause.get())));
        EventWindow window = EventWindow.of(INTERVAL);
        window.record(990);
        slow.write(slow.snapshot(window::writeTo));
        pause.set(reading);

        long event = slow.read(EventWindow::readFrom).toArray()[0];

        assertThat(event).isBetween(990L, 1020L);
    }

    @Test
    void write_old_isReplacedAndNothingElseIsLeft() throws IOException {
        write(EventWindow.of(INTERVAL));

        assertThat(read(1000, WRITTEN).count(1000)).isZero();
        assertThat(path.getParent().toFile().list()).containsExactly("state");
    }

    /** Moved without it, the name could have no content after a power cut. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere other files cannot be forced to a disk")
    void write_contentCannotBeForced_toldAndTheOldOneStays() throws IOException {
        Path link = Files.createSymbolicLink(path.resolveSibling("state.tmp"), Path.of("/dev/null"));

        assertThatExceptionOfType(SyncFailedException.class).isThrownBy(() -> write(EventWindow.of(INTERVAL)));

        Files.delete(link);
        assertThat(read(1000, WRITTEN).count(1000)).isEqualTo(3);
    }

    /** As by {@code shutdownNow} at the end of a program, whose last state would be lost. */
    @Test
    void write_interrupted_writtenAndStaysInterrupted() throws IOException {
        Thread.currentThread().interrupt();

        write(EventWindow.of(INTERVAL));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(read(1000, WRITTEN).count(1000)).isZero();
    }

    @Test
    void write_directoryDeleted_madeAgain() throws IOException {
        Files.delete(path);
        Files.delete(path.getParent());

        writeWindow();

        assertThat(read(1000, WRITTEN).count(1000)).isEqualTo(3);
    }

    @Test
    void read_noFile_saysSo() throws IOException {
        Files.delete(path);

        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(5000, WRITTEN));
    }

    /** The file may be good, so it must not be reported as damaged. */
    @Test
    void read_cannotBeRead_notDamaged() throws IOException {
        Files.delete(path);
        Files.createDirectory(path);

        assertThatIOException().isThrownBy(() -> read(5000, WRITTEN)).isNotInstanceOf(StreamCorruptedException.class);
    }

    @Test
    void read_truncatedAnywhere_damaged() throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(path, Arrays.copyOf(bytes, length));

            assertDamaged("the checksum is wrong");
        }
    }

    @Test
    void read_anyBitAltered_damaged() throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] altered = bytes.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(path, altered);

            assertDamaged("");
        }
    }

    @Test
    void read_laterForm_damagedByName() throws IOException {
        writeWithChecksum(ByteBuffer.wrap(Files.readAllBytes(path)).put(VERSION_AT, (byte) 2));

        assertDamaged("version: 2 (expected: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12, 19, 20, 26})
    void read_checksumOfTooLittle_damaged(int length) throws IOException {
        writeWithChecksum(ByteBuffer.wrap(Arrays.copyOf(Files.readAllBytes(path), length)));

        assertDamaged("EOFException");
    }

    @Test
    void read_checksumOfMoreThanTheWindow_damaged() throws IOException {
        byte[] bytes = Files.readAllBytes(path);

        writeWithChecksum(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 3)));

        assertDamaged("3 bytes after the content (expected: none)");
    }

    /** Numbers of a good file replaced by any others, with a right checksum. */
    @Test
    void read_checksumOfAnyNumbers_failsAsItSaysOrReads() throws IOException {
        byte[] good = Files.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(28);
        for (int i = 0; i < 1000; i++) {
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
            try {
                assertThat(read(5000, WRITTEN).count(5000))
                        .as("seed 28, round %s", i)
                        .isBetween(0L, (long) good.length);
            } catch (StreamCorruptedException e) {
                assertThat(e).as("seed 28, round %s", i).hasMessageStartingWith(path + ": ");
            }
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a file that somebody reads cannot be replaced there")
    void read_whileWritten_oldOneOrNewOne() throws Exception {
        FutureTask<Void> writing = new FutureTask<>(() -> {
            for (int i = 0; i < 30; i++) {
                writeWindow();
            }
            return null;
        });
        new Thread(writing).start();

        while (!writing.isDone()) {
            assertThat(read(5000, WRITTEN).count(5000)).isEqualTo(3);
        }
        writing.get();
    }

    private void writeWithChecksum(ByteBuffer content) throws IOException {
        CRC32C checksum = new CRC32C();
        checksum.update(content.array(), 4, content.capacity() - 4);
        Files.write(path, content.putInt(0, (int) checksum.getValue()).array());
    }

    private void assertDamaged(String reason) {
        assertThatExceptionOfType(StreamCorruptedException.class)
                .isThrownBy(() -> read(5000, WRITTEN))
                .withMessageStartingWith(path + ": ")
                .withMessageContaining(reason);
    }
}
