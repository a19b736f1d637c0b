package io.github.hotpath.testing;

import static io.github.hotpath.testing.CallSequence.cut;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * What holds for any bytes that are read as the compact form of some class: reading fails as documented, or returns an
 * object that is written, and read again, as an equal one. The bytes that are resources of the tests reach other code
 * each; those of windows were found by Jazzer, a fuzzer guided by coverage.
 */
public final class FormTarget<T> {
    private static final int CALLS = 20;

    /** Exceptions, streams and buffers. */
    private static final long MEMORY_ELSE = 32 << 10;

    public final CompactBytes<T> form;
    private final String type;
    private final String corpus;
    private final long memoryPerByte;
    private final boolean isOrdered;
    private final Function<SplittableRandom, T> some;
    private final Calls<T> calls;

    /** A random call of an object, and a check of its invariants. */
    public interface Calls<T> {
        /** Calls a method of {@code subject}, by {@code random}, and returns its result, without absolute times. */
        Object next(T subject, long nanos, SplittableRandom random);
    }

    /**
     * Checks what has been read with {@code calls}, and that reading allocates little for each byte.
     *
     * @param type the simple name of the class
     * @param corpus the directory of these bytes, below that of all packages
     * @param isOrdered whether answers depend on what is written alone, not also on an order that is not written
     * @param some returns a new object of random settings
     */
    public FormTarget(
            String type,
            String corpus,
            CompactBytes<T> form,
            long memoryPerByte,
            boolean isOrdered,
            Function<SplittableRandom, T> some,
            Calls<T> calls) {
        this.type = type;
        this.corpus = corpus;
        this.form = form;
        this.memoryPerByte = memoryPerByte;
        this.isOrdered = isOrdered;
        this.some = some;
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
        } catch (IOException | OutOfMemoryError e) {
            throw new AssertionError(e); // JUnit would end with that error
        }
    }

    /** Throws an error if {@code subject} and its copy, written and read by another clock, do not answer alike. */
    public void checkCopy(T subject) throws IOException {
        checkCopy(subject, form.of(subject));
    }

    private void checkCopy(T original, byte[] bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(bytes));
        long shift = random.nextLong();
        T subject = isOrdered ? original : form.copy(original);
        T copy = form.shifted(original, shift);
        checkAlike(original, copy, shift);
        for (int i = 0; i < CALLS; i++) {
            long nanos = time(bytes, random);
            long call = random.nextLong();
            Object result = calls.next(subject, nanos, new SplittableRandom(call));
            Object expected = calls.next(copy, nanos + shift, new SplittableRandom(call));
            check(result.equals(expected), cut(result) + " (expected, as of the copy: " + cut(expected) + ")");
        }
        checkAlike(subject, copy, shift);
    }

    private void checkAlike(T subject, T copy, long shift) throws IOException {
        byte[] shiftedBack = form.of(form.shifted(copy, -shift));
        check(Arrays.equals(form.of(subject), shiftedBack), "the copy is written as other bytes");
    }

    private static void check(boolean holds, String failure) {
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

    /** Returns an object that has been called at random, less often than {@code calls} says. */
    public T some(SplittableRandom random, int calls) {
        T subject = some.apply(random);
        long nanos = random.nextLong();
        for (int left = random.nextInt(calls); left > 0; left--) {
            nanos += random.nextLong() >>> random.nextInt(10, 64);
            this.calls.next(subject, nanos, random);
        }
        return subject;
    }

    /** Checks all files of the corpus, and returns how many there are. */
    public int checkCorpus() throws IOException {
        int files = 0;
        try (DirectoryStream<Path> paths =
                Files.newDirectoryStream(Path.of("src/test/resources/io/github/hotpath", corpus))) {
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

    @Override
    public String toString() {
        return type;
    }
}
