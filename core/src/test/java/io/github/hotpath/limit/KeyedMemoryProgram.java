package io.github.hotpath.limit;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Prints how many bytes of the heap a live key takes, with three permits. For the serial collector. */
final class KeyedMemoryProgram {
    private KeyedMemoryProgram() {}

    /** Takes the number of keys, and that of the limits. */
    public static void main(String[] arguments) {
        int keys = Integer.parseInt(arguments[0]);
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            limits.add(Limit.of(3 + i, Duration.ofHours(i + 1)));
        }
        long before = usedBytes();
        KeyedLimiter<Long> limiter = KeyedLimiter.of(limits);
        try {
            for (long key = 0; key < keys; key++) {
                for (long i = 0; i < 3; i++) {
                    if (!limiter.forKey(key + (1L << 32))
                            .tryAcquire(3 * key + i, 1)) { // too large for the cache of boxes
                        throw new AssertionError("refused");
                    }
                }
            }
            System.out.println((usedBytes() - before) / keys);
            System.out.println(limiter.size());
        } finally {
            Reference.reachabilityFence(limiter);
        }
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
