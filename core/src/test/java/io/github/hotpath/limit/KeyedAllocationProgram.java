package io.github.hotpath.limit;

import java.time.Duration;

/** Prints how many bytes two million calls for busy keys allocate, in the best of some rounds. */
final class KeyedAllocationProgram {
    private static final int ROUNDS = 10;

    private KeyedAllocationProgram() {}

    public static void main(String... unused) throws ReflectiveOperationException {
        // Three permits in an interval, of which two are taken at each time: so no key is ever idle.
        KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(3, Duration.ofNanos(10)));
        String[] keys = new String[100];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = String.valueOf(i);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = allocatedBytes();
            attempt(limiter, keys, round * 10_000L);
            least = Math.min(least, allocatedBytes() - before);
        }
        System.out.println(least);
    }

    /** By reflection, since the module of the tests does not read that of the counter. */
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object threads = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        return (long) Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getCurrentThreadAllocatedBytes")
                .invoke(threads);
    }

    private static void attempt(KeyedLimiter<String> limiter, String[] keys, long from) {
        for (long time = from; time < from + 10_000; time++) {
            for (String key : keys) {
                limiter.forKey(key).tryAcquire(time, 1);
                limiter.forKey(key).tryAcquireOrDelay(time, 1);
            }
        }
    }
}
