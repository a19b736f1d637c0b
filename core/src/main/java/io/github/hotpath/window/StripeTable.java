package io.github.hotpath.window;

import java.util.Arrays;

/** The stripes beyond the first one, and which of them each thread records in. */
class StripeTable {
    /*
     * A thread that has contended for its stripe has an entry, found by its id; all others share the first stripe of
     * the table. Two threads that keep contending have entries of their own for any ids, so when one of them moves to
     * the next stripe the other stays, until each has found a free one. Entries are read and written by several threads
     * without a lock: a thread that finds an old one, or none, records in another stripe, which is correct as well.
     *
     * Entries are in an open hash table of fixed size. Where there is no place for another one near its home it
     * replaces the one there, so that threads that have ended do not fill the table; the thread replaced uses the
     * stripe of the other one, and gets an entry again when it contends there. On JDK 17 a subclass of Thread can
     * override getId: threads that return the same id share a stripe.
     *
     * Every record reads the table and its arrays, and a stripe may follow any of them in memory, so each ends with
     * two cache lines of padding. That of the table is in a subclass: of one class, HotSpot places the longs first and
     * the references last.
     */

    /** The most stripes of a table: more than can record at once. */
    static final int MAX_STRIPES = Math.min(2 * Runtime.getRuntime().availableProcessors(), 64);

    /** The number of entries, a power of two: at least four for each stripe. */
    private static final int ENTRIES = Integer.highestOneBit(8 * Math.max(2, MAX_STRIPES) - 1);

    /** The number of entries that are tried from the home of a thread on. */
    private static final int PROBES = 8;

    /** 2^64 divided by the golden ratio: its multiples spread evenly (Knuth, Sorting and Searching, 6.4). */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    static final Stripe[] NONE = {};

    /** At least one; not to be changed. */
    final Stripe[] stripes;

    /** The ids of threads, 0 where there is none; then padding. */
    private final long[] threads;

    /** The stripe of the thread at the same index, never null; then padding. */
    private final Stripe[] chosen;

    private StripeTable(Stripe shared) {
        stripes = new Stripe[] {shared};
        threads = new long[ENTRIES + 16];
        chosen = new Stripe[ENTRIES + 32];
        Arrays.fill(chosen, shared);
    }

    private StripeTable(StripeTable table, Stripe added) {
        stripes = Arrays.copyOf(table.stripes, table.stripes.length + 1);
        stripes[table.stripes.length] = added;
        threads = table.threads.clone();
        chosen = table.chosen.clone();
    }

    /** Returns a table in which all threads share {@code shared}. */
    static StripeTable create(Stripe shared) {
        return new Padded(shared);
    }

    /** Returns whether there are as many stripes as there may be. */
    final boolean isComplete() {
        return stripes.length >= MAX_STRIPES;
    }

    /** Returns the stripe in which {@code thread} records. */
    final Stripe of(long thread) {
        int home = home(thread);
        return threads[home] == thread ? chosen[home] : chosen[place(thread, home)];
    }

    /** Returns the index of the entry of {@code thread}, or of the entry to use for it if it has none. */
    private int place(long thread, int home) {
        for (int i = 0; i < PROBES; i++) {
            int place = home + i & ENTRIES - 1;
            if (threads[place] == thread || threads[place] == 0) {
                return place;
            }
        }
        return home;
    }

    private static int home(long thread) {
        return (int) (thread * SPREAD >>> 32) & ENTRIES - 1;
    }

    /** Returns a table with one more stripe, in which {@code thread} records. */
    final StripeTable with(Stripe added, long thread) {
        StripeTable table = new Padded(this, added);
        table.choose(thread, added);
        return table;
    }

    /** Moves {@code thread} from {@code taken} to the next stripe. */
    final void moveToNext(long thread, Stripe taken) {
        int next = Arrays.asList(stripes).indexOf(taken) + 1;
        choose(thread, stripes[next < stripes.length ? next : 0]);
    }

    private void choose(long thread, Stripe stripe) {
        int place = place(thread, home(thread));
        chosen[place] = stripe;
        threads[place] = thread;
    }

    /** A table that shares no cache line with the next object. */
    static final class Padded extends StripeTable {
        /** Two lines of 64 bytes, because processors fetch them in pairs. Never read. */
        long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

        Padded(Stripe shared) {
            super(shared);
        }

        Padded(StripeTable table, Stripe added) {
            super(table, added);
        }
    }
}
