package io.github.hotpath.window;

/** Decides when another stripe is worth its cost. */
final class StripeDemand {
    /*
     * Records that contend cost each other some hundred nanoseconds, while another stripe makes every call that locks
     * all of them slower, by some tens of nanoseconds. So stripes are added while records contend, and stay few where
     * nearly every record is followed by a count, as in a window that all threads record in and count at once.
     *
     * Threads write these fields without a common lock, and an update that is lost does not matter.
     */

    /** The calls over which contention is measured. */
    private static final int PERIOD = 4096;

    /** Contended records for a stripe: so many by chance are unlikely. */
    private static final int ENOUGH = 16;

    /** The calls that each of them outweighs. */
    private static final int CALLS = 2;

    /** How often all stripes have been locked in this period. */
    private int calls;

    /** How many records have contended in this period. */
    private int contended;

    /** Counts a call that locks all stripes. */
    void countCall() {
        calls++;
    }

    /** Counts a record that has contended with another one, and returns whether to add a stripe. */
    boolean shouldAddStripe() {
        if (calls > PERIOD) {
            calls = 0;
            contended = 0;
        }
        contended++;
        boolean worth = contended >= ENOUGH && calls <= CALLS * contended;
        if (worth) {
            calls = 0;
            contended = 0;
        }
        return worth;
    }
}
