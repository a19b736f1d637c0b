package io.github.hotpath.testing;

import org.openjdk.jol.info.GraphLayout;

/** How much of the heap an object takes. */
public final class Memory {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // or it fails at a lambda, as a hidden class
    }

    private Memory() {}

    /** Returns the bytes of {@code object} and of all that can be reached from it. */
    public static long bytes(Object object) {
        return GraphLayout.parseInstance(object).totalSize();
    }
}
