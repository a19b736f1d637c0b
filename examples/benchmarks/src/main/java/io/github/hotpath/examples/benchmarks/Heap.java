package io.github.hotpath.examples.benchmarks;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Supplier;

/** What is in use of the heap. */
final class Heap {
    private Heap() {}

    /**
     * Returns the bytes that are left after a full collection: exact with a collector that moves everything together.
     */
    static long usedBytes() {
        for (int i = 0; i < 3; i++) { // the first may leave what has to be enqueued or finalized
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /**
     * Returns the bytes that so many objects keep, with all that each of them alone refers to: what is free when they
     * are gone. What was in use before them may have been garbage that is collected late.
     */
    static long bytesOf(int number, Supplier<?> each) {
        Object[] all = new Object[number];
        for (int i = 0; i < number; i++) {
            all[i] = each.get();
        }
        long with = usedBytes();
        Arrays.fill(all, null);
        long without = usedBytes();
        Reference.reachabilityFence(all);
        return with - without;
    }
}
