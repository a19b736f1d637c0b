package io.github.hotpath.fuzz;

import io.github.hotpath.internal.CompactBytes;
import io.github.hotpath.window.Allocation;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What holds for any bytes that are read as the compact form of some class: reading fails as documented, or returns an
 * object that is written, and read again, as an equal one. Jazzer looks for bytes for which it does not hold; those
 * that it kept, because each reaches other code, are resources of the tests.
 */
public final class FormTarget<T> {
    private static final int CALLS = 20;

    /** Exceptions, streams and buffers. */
    private static final long MEMORY_ELSE = 32 << 10;

    private final CompactBytes<T> form;
    private final long memoryPerByte;
    private final Calls<T> calls;

    /** A random call of an object, and a check of its invariants. */
    public interface Calls<T> {
        /** Calls a method of {@code subject}, by {@code random}, and returns its result. */
        Object next(T subject, long nanos, SplittableRandom random);
    }

    /** Checks what has been read with {@code calls}, and that reading allocates little for each byte. */
    public FormTarget(CompactBytes<T> form, long memoryPerByte, Calls<T> calls) {
        this.form = form;
        this.memoryPerByte = memoryPerByte;
        this.calls = calls;
    }

    /** Throws an error if something does not hold for {@code bytes}. */
    public void check(byte[] bytes) {
        T read = read(bytes);
        long allocated = Allocation.of(() -> read(bytes)); // the second time: no class is initialized in it
        check(allocated <= MEMORY_ELSE + memoryPerByte * bytes.length, "allocates " + allocated + " bytes");
        if (read != null) {
            try {
                checkCopy(read, bytes);
            } catch (IOException e) {
                throw new AssertionError("what was read cannot be written, or not be read again", e);
            }
        }
    }

    /** Returns what was read, or null if the bytes were refused as documented. */
    private T read(byte[] bytes) {
        try {
            return form.read(bytes);
        } catch (EOFException | StreamCorruptedException e) {
            return null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void checkCopy(T read, byte[] bytes) throws IOException {
        byte[] written = form.of(read);
        T copy = form.read(written);
        check(Arrays.equals(form.of(copy), written), "written as other bytes the second time");
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(bytes));
        for (int i = 0; i < CALLS; i++) {
            long nanos = time(bytes, random);
            long call = random.nextLong();
            Object result = calls.next(read, nanos, new SplittableRandom(call));
            Object expected = calls.next(copy, nanos, new SplittableRandom(call));
            check(result.equals(expected), result + " (expected, as of the copy: " + expected + ")");
        }
        check(Arrays.equals(form.of(read), form.of(copy)), "written as other bytes after the same calls");
    }

    private static void check(boolean holds, String failure) { // not by AssertJ, which Jazzer would take long to load
        if (!holds) {
            throw new AssertionError(failure);
        }
    }

    /** Returns a time near one of the numbers in {@code bytes}, one of which is the latest time. */
    private static long time(byte[] bytes, SplittableRandom random) {
        int last = bytes.length - Long.BYTES;
        long time = last < 0 ? 0 : ByteBuffer.wrap(bytes).getLong(random.nextInt(last + 1));
        return time + (random.nextLong() >> random.nextInt(64));
    }

    /** Checks all files of {@code corpus}, a directory of test resources; returns how many there are. */
    public int checkAll(String corpus) throws IOException {
        int files = 0;
        try (DirectoryStream<Path> paths =
                Files.newDirectoryStream(Path.of("src/test/resources").resolve(corpus))) {
            for (Path path : paths) {
                try {
                    check(Files.readAllBytes(path));
                } catch (Throwable e) {
                    throw new AssertionError(path.toString(), e);
                }
                files++;
            }
        }
        return files;
    }
}
