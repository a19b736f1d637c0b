package io.github.hotpath.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.Allocation;
import io.github.hotpath.window.Seed;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What reading a compact form does with any bytes: it fails as documented, or returns a valid object; in little memory.
 */
public final class CompactDamage<T> {
    /** Exceptions, streams and buffers. */
    private static final long MEMORY_ELSE = 32 << 10;

    private final CompactBytes<T> form;
    private final long memoryPerByte;
    private final Consumer<T> check;

    /** Passes what could be read to {@code check}, which throws if it is not valid. */
    public CompactDamage(CompactBytes<T> form, long memoryPerByte, Consumer<T> check) {
        this.form = form;
        this.memoryPerByte = memoryPerByte;
        this.check = check;
    }

    /** Reads {@code bytes}, which are a compact form, truncated anywhere, and with any bit inverted. */
    public void readDamaged(byte[] bytes) {
        for (int length = 0; length < bytes.length; length++) {
            assertThat(outcome(Arrays.copyOf(bytes, length))).isEqualTo("truncated");
        }
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertBounded(damaged);
        }
    }

    /** Reads random bytes that begin as {@code head} does. */
    public void readRandom(byte[] head, SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(1 << random.nextInt(13))];
        random.nextBytes(bytes);
        int kept = random.nextInt(head.length);
        System.arraycopy(head, 0, bytes, 0, Math.min(kept, bytes.length));
        assertBounded(bytes);
    }

    private void assertBounded(byte[] bytes) {
        assertThat(outcome(bytes)).as(Seed.hint()).isIn("truncated", "malformed", "whole");

        long allocated = Allocation.of(() -> outcome(bytes)); // the second time: no class is initialized in it

        assertThat(allocated).isLessThan(MEMORY_ELSE + memoryPerByte * bytes.length);
    }

    private String outcome(byte[] bytes) {
        try {
            check.accept(form.read(bytes));
            return "whole";
        } catch (EOFException e) {
            return "truncated";
        } catch (StreamCorruptedException e) {
            return "malformed";
        } catch (IOException | RuntimeException e) {
            return e.toString();
        }
    }
}
