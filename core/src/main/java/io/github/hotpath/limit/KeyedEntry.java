package io.github.hotpath.limit;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A key of a {@link KeyedLimiter}, and the gate for its requests. */
final class KeyedEntry<K> extends Gate {
    final K key;
    private final KeyMap<K> map;

    /** How many updates of the limits have begun. Guarded by the lock. */
    private int updates;

    /** The number of the update whose answer is in force. Guarded by the lock. */
    private int answered;

    /** Whether it is in the map, or has been. If not, only one call knows it. Guarded by the lock. */
    private boolean isAdded;

    /** Whether it has been evicted or removed, forever. Written with the lock held. */
    volatile boolean isRetired;

    KeyedEntry(K key, KeyMap<K> map, SlidingLog log) {
        super(log);
        this.key = key;
        this.map = map;
    }

    /** One that is not in the map is current while the key has no entry there. */
    @Override
    boolean isCurrent() {
        return !isRetired && (isAdded || map.get(key) == null) && map.isCurrent(); // last: a map never becomes it again
    }

    /** Does {@link KeyMap#add} to the map that it was made for: the limiter may have been cleared since. */
    @Nullable
    KeyedEntry<K> addToMap(BooleanSupplier isValid) {
        return map.add(this, isValid);
    }

    /** Notes that it is in the map, with its lock held. All earlier entries of the key were evicted before. */
    void setAdded() {
        isAdded = true;
        log.setWasIdle();
    }

    @Override
    void rotate(long nanos) {
        if (log.takeWasIdle()) {
            map.rotate(nanos);
        }
    }

    /** Returns the number of an update of the limits, which are asked for after this call. */
    int beginUpdate() {
        return locked(log -> ++updates);
    }

    /** Sets the limits that an update has been told, unless the answer of a later one is in force. */
    void endUpdate(List<Limit> limits, int update) {
        locked(log -> {
            if (isCurrent() && update - answered > 0) {
                log.setLimits(limits);
                answered = update;
            }
            return null;
        });
    }
}
