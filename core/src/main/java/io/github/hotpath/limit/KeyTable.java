package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a {@link KeyedLimiter} has: the limits of keys, and the entries of those that have any. Thread-safe. */
final class KeyTable<K> {
    private final Function<? super K, ? extends List<Limit>> limitsOf;

    /** The limits of every key; {@code null} if they differ. */
    private final @Nullable List<Limit> common;

    /** A request for more permits is never granted, whatever its key. */
    private final long most;

    /**
     * Replaced by {@link #clear}, which takes effect by that: a call in progress on the map before takes effect before
     * it.
     */
    private final AtomicReference<KeyMap<K>> current = new AtomicReference<>();

    KeyTable(List<Limit> common) {
        this(common, key -> common);
    }

    KeyTable(Function<? super K, ? extends List<Limit>> limitsOf) {
        this(null, limitsOf);
    }

    private KeyTable(@Nullable List<Limit> common, Function<? super K, ? extends List<Limit>> limitsOf) {
        this.common = common;
        this.limitsOf = limitsOf;
        most = common == null ? Long.MAX_VALUE : mostOf(common);
        current.set(newMap());
    }

    private static long mostOf(List<Limit> limits) {
        long most = Long.MAX_VALUE;
        for (Limit limit : limits) {
            most = limit.isPerCall() && limit.max() > 0 ? most : Math.min(most, limit.max());
        }
        return most;
    }

    private KeyMap<K> newMap() {
        return new KeyMap<>(new Epoch(() -> current.get().epoch));
    }

    KeyMap<K> map() {
        return current.get();
    }

    /**
     * Acquires permits if the key has an entry, and returns 0 or the delay, if that is wanted, or another positive
     * number. If it has none, refuses what is never granted; otherwise decides nothing, and returns {@link
     * Gate#NOT_READY}.
     */
    long acquire(K key, long nanos, int permits, boolean wantsDelay) {
        KeyMap<K> map = current.get();
        KeyedEntry<K> entry = map.get(key);
        if (entry == null) {
            return permits > most ? Long.MAX_VALUE : Gate.NOT_READY;
        }
        long delay = wantsDelay
                ? entry.acquireOrDelay(nanos, permits)
                : entry.refuses(nanos) ? Long.MAX_VALUE : entry.acquire(nanos, permits);
        if (delay == 0) {
            map.changed(entry, nanos, false);
        }
        return delay;
    }

    @Nullable
    KeyedEntry<K> find(K key) {
        return current.get().get(key);
    }

    /** Returns the entry of a key, which is added if there is none. */
    KeyedEntry<K> findOrAdd(K key) {
        KeyMap<K> map = current.get();
        KeyedEntry<K> entry = map.get(key);
        while (entry == null || entry.isRetired()) {
            if (entry != null) {
                map.remove(entry);
            }
            entry = map.add(new KeyedEntry<>(key, map.epoch, common));
        }
        return entry;
    }

    /** Asks for the limits of an entry, unless they are known. */
    void ask(KeyedEntry<K> entry) {
        if (!entry.hasLimits()) {
            update(entry, entry.lastUpdate());
        }
    }

    /** Called after a transaction on the entry of a key. */
    void finish(KeyedEntry<K> entry, long nanos, boolean isChanged, boolean isRevocable) {
        KeyMap<K> map = current.get();
        if (map.epoch != entry.epoch) {
            return;
        }
        if (entry.isFresh()) {
            if (!entry.isUsed()) { // or those that ask for its limits would begin again, and perhaps never end
                map.retire(entry, true);
            }
        } else if (isChanged) {
            map.changed(entry, nanos, isRevocable);
        }
    }

    void updateLimits(K key) {
        KeyedEntry<K> entry = find(key);
        if (entry != null) {
            update(entry, entry.beginUpdate());
        }
    }

    void updateAllLimits() {
        for (KeyedEntry<K> entry : current.get().entries()) { // those added meanwhile are asked for after this began
            update(entry, entry.beginUpdate());
        }
    }

    private void update(KeyedEntry<K> entry, int number) {
        new Update(entry, limitsOf(entry.key), number).run(0, 0);
    }

    /** Sets the limits of an entry, if no later answer is in force. */
    private static final class Update extends Transaction {
        private final KeyedEntry<?> entry;
        private final List<Limit> limits;
        private final int number;

        Update(KeyedEntry<?> entry, List<Limit> limits, int number) {
            super(new Gate[] {entry});
            this.entry = entry;
            this.limits = limits;
            this.number = number;
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            return entry.isLater(number) ? CHANGE : NO_CHANGE;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            entry.setLimits(limits, number);
            entry.publish();
        }
    }

    List<Limit> limitsOf(K key) {
        return common != null ? common : Gate.checked(requireNonNull(limitsOf.apply(key), "limitsOf"));
    }

    /** Removes a key, whatever counts. */
    void remove(K key) {
        KeyMap<K> map = current.get();
        KeyedEntry<K> entry = map.get(key);
        if (entry != null) {
            map.retire(entry, false);
        }
    }

    /** Removes all keys, at one moment. */
    void clear() {
        current.getAndSet(newMap()).rotation.clear();
    }

    @Override
    public String toString() {
        return "KeyedLimiter[limits=" + (common != null ? common : "by key") + ", size=" + map().size() + "]";
    }
}
