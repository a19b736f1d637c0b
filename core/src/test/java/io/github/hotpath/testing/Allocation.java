package io.github.hotpath.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * How many bytes a task allocates, to the byte.
 *
 * <p>The JVM's counter is called by a method handle because this module does not read {@code jdk.management}; a handle,
 * unlike a reflective call, allocates nothing itself.
 */
public final class Allocation {
    private static final MethodHandle COUNTER = counter();

    static {
        // A handle is linked at its first call and made faster at its 128th, and both allocate.
        for (int i = 0; i < 1_000; i++) {
            read();
        }
    }

    private Allocation() {}

    /**
     * Checks that a task, which makes many thousands of calls, allocates nothing.
     *
     * <p>Zero would be too little. HotSpot's compiler replaces an object that does not escape by its fields; when the
     * thread leaves such code because an assumption of the compiler has failed, HotSpot allocates the object after all,
     * once. In three of ten runs this was seen in one task, on JDK 17 and 25, with 88 bytes, and once with 544. If one
     * of 500 calls allocated one of the smallest objects, 16 bytes, 100,000 calls would exceed this bound.
     */
    public static void assertNone(Runnable task) {
        assertThat(of(task)).isLessThan(2_048);
    }

    public static long of(Runnable task) {
        assumeTrue(read() >= 0, "this JVM does not count what a thread allocates");

        long before = read();
        task.run();
        return read() - before;
    }

    private static long read() {
        try {
            return (long) COUNTER.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle counter() {
        try {
            Object threads = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            return MethodHandles.publicLookup()
                    .findVirtual(
                            Class.forName("com.sun.management.ThreadMXBean"),
                            "getCurrentThreadAllocatedBytes",
                            MethodType.methodType(long.class))
                    .bindTo(threads);
        } catch (ReflectiveOperationException e) {
            return MethodHandles.constant(long.class, -1L); // what the counter says, too, where it is turned off
        }
    }
}
