package io.github.hotpath.examples.benchmarks;

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
}
