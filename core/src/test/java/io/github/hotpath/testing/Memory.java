package io.github.hotpath.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.openjdk.jol.info.GraphLayout;
import org.openjdk.jol.vm.VM;

/** How much of the heap an object takes. */
public final class Memory {
    static {
        System.setProperty("jol.magicFieldOffset", "true"); // or it fails at a lambda, as a hidden class
    }

    private Memory() {}

    /**
     * Returns the bytes of {@code object} and of all that can be reached from it. Ends the test if a reference takes 8
     * bytes, as with ZGC: tests and pages name sizes with 4.
     */
    public static long bytes(Object object) {
        assumeTrue(VM.current().arrayIndexScale("java.lang.Object") == 4, "a reference takes more than 4 bytes");
        return GraphLayout.parseInstance(object).totalSize();
    }
}
