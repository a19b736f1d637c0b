package io.github.hotpath.internal;

/** Lengths of arrays. Not exported. */
public final class Sizes {
    private Sizes() {}

    /** Returns {@code size} as the length of an array; throws an {@link OutOfMemoryError} if no array is so long. */
    public static int arrayLength(long size) {
        if (size > Integer.MAX_VALUE - 8) { // the limit that the JDK's collections assume for every JVM
            throw new OutOfMemoryError("more events than an array holds: " + size);
        }
        return (int) size;
    }
}
