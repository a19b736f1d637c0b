package io.github.hotpath.limit;

import static io.github.hotpath.internal.Invariants.check;

import org.jspecify.annotations.Nullable;

/** The order in which the entries of a {@link KeyMap} are examined, again and again. Thread-safe. */
final class Rotation<K> {
    /*
     * A ring of entries with a hand at the next one; new ones are linked behind the hand, and so are examined last.
     * The lock is held for a few stores, or to clear; no entry is examined, and no other lock acquired, meanwhile.
     * Between the stores of a change there is no call, so no error can leave it half done.
     *
     * An iterator of the map that is kept would take a step for each empty bin, since the table of a ConcurrentHashMap
     * never shrinks, and would reach a key that was added behind it a whole rotation later. An array would be copied as
     * it grows, while others wait.
     */

    /** The entry to be examined next; {@code null} if there is none. */
    @Nullable
    KeyedEntry<K> hand;

    private int size;

    /** How many entries are still to be examined until all that were there when this rotation began have been. */
    private int left;

    /** An eighth of the entries that were there when this rotation began, and eight. */
    private int share = 8;

    /** Adds an entry, to be examined last. */
    synchronized void add(KeyedEntry<K> entry) {
        KeyedEntry<K> at = hand;
        KeyedEntry<K> before = at == null ? null : at.previous;
        if (at == null || before == null) {
            entry.next = entry;
            entry.previous = entry;
            hand = entry;
        } else {
            entry.next = at;
            entry.previous = before;
            before.next = entry;
            at.previous = entry;
        }
        size++;
    }

    /** Returns the next entry to be examined, if there is any. */
    synchronized @Nullable KeyedEntry<K> next() {
        KeyedEntry<K> entry = hand;
        if (entry != null) {
            hand = entry.next;
            left--;
            if (left < 0) {
                left = size - 1;
                share = size / 8 + 8;
            }
        }
        return entry;
    }

    /** Removes an entry, if it is there. */
    synchronized void remove(KeyedEntry<K> entry) {
        KeyedEntry<K> after = entry.next;
        KeyedEntry<K> before = entry.previous;
        if (after == null || before == null) {
            return;
        }
        before.next = after;
        after.previous = before;
        if (hand == entry) {
            hand = after == entry ? null : after;
        }
        entry.next = null;
        entry.previous = null;
        size--;
    }

    /** Unlinks all entries: a reservation may refer to one of them for long. */
    synchronized void clear() {
        KeyedEntry<K> entry = hand;
        hand = null;
        size = 0;
        while (entry != null) {
            KeyedEntry<K> after = entry.next;
            entry.next = null;
            entry.previous = null;
            entry = after;
        }
    }

    synchronized int size() {
        return size;
    }

    /** Returns how many entries are to be examined at a time, at the most. */
    synchronized int share() {
        return share;
    }

    /** Returns how many entries there are; throws if an invariant does not hold; for tests. */
    synchronized int checkInvariants() {
        int count = 0;
        for (KeyedEntry<K> entry = hand; entry != null && (entry != hand || count == 0); entry = entry.next) {
            check(entry.next != null && entry.next.previous == entry, "a ring that is broken");
            count++;
        }
        check(count == size, "size is not that of the ring");
        return count;
    }
}
