package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.internal.PolledLock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter} in a {@link JointCall}. */
final class KeyMember<K> extends Member {
    /** Stands for the limiter of a key without entry, until one is made. */
    private static final SlidingWindowLimiter NONE = SlidingWindowLimiter.of(Limit.of(1, Duration.ZERO));

    private final KeyedLimiter<K> keyed;
    private final K key;
    private LimiterMap<K> map;

    /** The entry that was found, or that has been made; {@code null} if neither. */
    private @Nullable KeyedEntry<K> entry;

    private boolean isNew;
    private boolean isAdded;

    /** How many updates of limits had begun when those of a new limiter were asked for. */
    private long updates;

    /** Creates the member with what the map has for the key. */
    KeyMember(KeyedLimiter<K> keyed, K key, LimiterMap<K> map, @Nullable KeyedEntry<K> entry) {
        super(entry == null ? NONE : entry.limiter);
        this.keyed = keyed;
        this.key = key;
        this.map = map;
        this.entry = entry;
    }

    @Override
    boolean isFound() {
        return entry != null && !isNew;
    }

    @Override
    void find() {
        map = keyed.map();
        entry = map.getLive(key);
        limiter = entry == null ? NONE : entry.limiter;
        isNew = false;
        isHeld = false;
    }

    @Override
    void prepare(long nanos) {
        if (entry == null) {
            updates = keyed.updates();
            entry = map.newEntry(key, nanos, keyed.limitsOf(key));
            limiter = entry.limiter;
            limiter.log.holder = PolledLock.ALONE;
            isHeld = true;
            isNew = true;
            isAdded = false;
        }
    }

    @Override
    boolean isNew() {
        return isNew;
    }

    @Override
    boolean isCurrent() {
        return keyed.map() == map && !limiter.isRetired();
    }

    @Override
    boolean isOvertaken() {
        return isNew && (map.get(key) != null || keyed.updates() != updates);
    }

    @Override
    boolean add() {
        isAdded = map.add(requireNonNull(entry));
        return isAdded && keyed.updates() == updates; // an update that begins later finds the entry
    }

    @Override
    void withdraw() {
        if (isAdded) {
            map.withdraw(requireNonNull(entry));
        }
    }

    @Override
    void finish(long nanos, boolean isRevocable) {
        if (isAdded) {
            map.added(requireNonNull(entry), nanos, isRevocable);
        } else if (!isNew) {
            map.acquired(requireNonNull(entry), nanos, isRevocable);
        }
    }

    @Override
    Epoch epoch() {
        return map.epoch;
    }
}
