package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys of a {@link KeyedLimiter}: their entries, and how a key gets one, with its limits. Thread-safe. */
final class Keys<K> {
    private final Function<? super K, ? extends List<Limit>> limitsOf;

    /** The limits of every key; {@code null} if they differ. */
    private final @Nullable List<Limit> common;

    /**
     * For each key whose limits are being asked for, a question that an update removes: then the answer may be an old
     * one, and the calls that have asked begin again.
     */
    private final ConcurrentHashMap<K, Question> questions = new ConcurrentHashMap<>();

    private static final class Question {
        /** How many calls are asking; the last one removes it. Guarded by the map. */
        int asking;
    }

    /** Replaced by {@link #clear}: a call in progress on the map before takes effect before it. */
    private final AtomicReference<KeyMap<K>> map = new AtomicReference<>();

    Keys(@Nullable List<Limit> common, Function<? super K, ? extends List<Limit>> limitsOf) {
        this.common = common;
        this.limitsOf = limitsOf;
        map.set(new KeyMap<>(map));
    }

    KeyMap<K> map() {
        return map.get();
    }

    List<Limit> limitsOf(K key) {
        return common != null ? common : Gate.checked(requireNonNull(limitsOf.apply(key), "limitsOf"));
    }

    /** Returns an entry that only the caller knows. */
    KeyedEntry<K> make(K key) {
        KeyMap<K> before = map(); // the function may clear it
        return new KeyedEntry<>(key, before, new SlidingLog(limitsOf(key)));
    }

    /** Returns the entry of a key, which is added if there is none. */
    KeyedEntry<K> add(K key) {
        if (common != null) {
            return requireNonNull(make(key).addToMap(() -> true));
        }
        KeyedEntry<K> added = null;
        while (added == null) {
            Question question = questions.compute(key, (same, asked) -> {
                Question joined = asked == null ? new Question() : asked;
                joined.asking++;
                return joined;
            });
            try {
                added = make(key).addToMap(() -> questions.get(key) == question);
            } finally {
                questions.computeIfPresent(
                        key, (same, asked) -> asked == question && --asked.asking == 0 ? null : asked);
            }
        }
        return added;
    }

    /** Acquires permits, and returns 0 or the delay, if that is wanted, or another positive number. */
    long acquire(K key, long nanos, int permits, boolean wantsDelay) {
        while (true) {
            KeyedEntry<K> entry = map.get().get(key);
            if (entry == null) {
                entry = add(key);
            } else if (wantsDelay) {
                long known = entry.log.knownDelay(nanos, permits);
                if (known != 0) {
                    return known;
                }
            } else if (entry.log.refuses(nanos, permits)) {
                return Long.MAX_VALUE;
            }
            long delay = entry.acquire(nanos, permits);
            if (delay != Gate.AGAIN) {
                return delay;
            }
        }
    }

    void clear() {
        map.getAndSet(new KeyMap<>(map)).clear();
    }

    void updateLimits(K key) {
        questions.remove(key);
        KeyedEntry<K> entry = map().get(key);
        if (entry != null) {
            update(entry);
        }
    }

    void updateAllLimits() {
        questions.clear();
        map().entries().forEach(this::update);
    }

    private void update(KeyedEntry<K> entry) {
        int update = entry.beginUpdate();
        entry.endUpdate(limitsOf(entry.key), update);
    }

    @Override
    public String toString() {
        return "KeyedLimiter[limits=" + (common != null ? common : "by key") + ", size=" + map().size() + "]";
    }
}
