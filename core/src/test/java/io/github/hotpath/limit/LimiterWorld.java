package io.github.hotpath.limit;

import io.github.hotpath.testing.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some limiters, and keys of keyed limiters, which {@linkplain LimiterStep steps} call alone and together. The limits of
 * the first keyed limiter are told by a function; those of the others are the same for all keys.
 */
final class LimiterWorld {
    /** The number of a limiter is less. The keys of a keyed limiter have numbers from a multiple of this on. */
    static final int KEYS = 1 << 20;

    /** The first keys of the first keyed limiter, and of the second one. */
    static final int USERS = KEYS;

    static final int TENANTS = 2 * KEYS;

    /** Counts whatever is read. */
    static final List<Limit> WIDE = List.of(Limit.of(1_000, Duration.ofNanos(10)));

    /**
     * How a world begins.
     *
     * @param limits those of each limiter
     * @param keyLimits those of the keys of each keyed limiter
     * @param plans what the limits of limiters, and of keys of the first keyed limiter, can become
     */
    record Setting(List<List<Limit>> limits, List<List<Limit>> keyLimits, List<List<Limit>> plans) {
        List<Limit> of(int target) {
            return target < KEYS ? limits.get(target) : keyLimits.get(keyed(target));
        }
    }

    private final Setting setting;
    private final Runnable callback;
    private final List<SlidingWindowLimiter> singles = new ArrayList<>();
    private final List<KeyedLimiter<Key>> keyed = new ArrayList<>();
    private final Map<Integer, List<Limit>> updated = new ConcurrentHashMap<>();
    private final Map<Integer, Reservation> reservations = new ConcurrentHashMap<>();

    /** @param callback called wherever the limiters call code of their user */
    LimiterWorld(Setting setting, Runnable callback) {
        this.setting = setting;
        this.callback = callback;
        setting.limits.forEach(each -> singles.add(SlidingWindowLimiter.of(each)));
        setting.keyLimits.forEach(
                each -> keyed.add(keyed.isEmpty() ? KeyedLimiter.of(this::limitsOf) : KeyedLimiter.of(each)));
    }

    private List<Limit> limitsOf(Key key) {
        List<Limit> answer = updated.getOrDefault(key.number, setting.of(key.number));
        callback.run(); // so that limits may change before the answer is used
        return answer;
    }

    private final class Key {
        private final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            callback.run();
            return other instanceof Key key && key.number == number;
        }

        @Override
        public int hashCode() {
            callback.run();
            return number;
        }
    }

    /** Returns of which keyed limiter a target is a key. */
    static int keyed(int target) {
        return target / KEYS - 1;
    }

    /** Returns whether a target is a key whose limits are told by the function. */
    static boolean hasOwnLimits(int target) {
        return target >= USERS && target < TENANTS;
    }

    private KeyedLimiter<Key> keyedOf(int target) {
        return keyed.get(keyed(target));
    }

    private Limiter limiter(int target) {
        return target < KEYS ? singles.get(target) : keyedOf(target).forKey(new Key(target));
    }

    /** Returns the limiters together: some of them, and these together with the others. */
    private Limiter limiter(List<Integer> targets) {
        if (targets.size() == 1) {
            return limiter(targets.get(0));
        }
        int half = targets.size() / 2;
        List<Limiter> together = new ArrayList<>();
        together.add(Limiter.allOf(
                targets.subList(0, half).stream().map(this::limiter).toList()));
        targets.subList(half, targets.size()).forEach(target -> together.add(limiter(target)));
        return Limiter.allOf(together);
    }

    /** Returns what the call has returned. */
    Object make(LimiterStep step) {
        long nanos = step.nanos();
        int permits = step.permits();
        Duration duration = Duration.ofNanos(step.argument());
        int target = step.targets().isEmpty() ? 0 : step.target();
        switch (step.member()) {
            case TRY_ACQUIRE -> {
                return limiter(step.targets()).tryAcquire(nanos, permits);
            }
            case TRY_ACQUIRE_OR_DELAY -> {
                return limiter(step.targets()).tryAcquireOrDelay(nanos, permits);
            }
            case RESERVE -> {
                Reservation reservation = limiter(step.targets()).reserve(nanos, permits, duration);
                reservations.put(step.number(), reservation);
                return reservation;
            }
            case DECIDE -> {
                return limiter(step.targets()).decide(nanos, permits);
            }
            case PEEK -> {
                return limiter(step.targets()).peek(nanos, permits);
            }
            case AVAILABLE -> {
                return limiter(step.targets()).available(nanos);
            }
            case IS_IDLE -> {
                return limiter(step.targets()).isIdle(nanos);
            }
            case RECORD -> limiter(step.targets()).record(nanos, permits);
            case CLOSE_FOR -> limiter(step.targets()).closeFor(nanos, duration);
            case ADJUST -> {
                Reservation reservation = reservations.get((int) step.argument());
                return reservation != null && reservation.adjustTo(permits);
            }
            case CLEAR -> {
                if (target < KEYS) {
                    singles.get(target).clear();
                } else {
                    keyedOf(target).clear();
                }
            }
            case REMOVE -> keyedOf(target).remove(new Key(target));
            case SET_LIMITS -> singles.get(target).setLimits(setting.plans.get((int) step.argument()));
            case UPDATE_LIMITS -> {
                updated.put(target, setting.plans.get((int) step.argument()));
                keyedOf(target).updateLimits(new Key(target));
            }
            case UPDATE_ALL_LIMITS -> {
                updated.put(target, setting.plans.get((int) step.argument()));
                keyedOf(target).updateAllLimits();
            }
            case EVICT_IDLE -> keyedOf(target).evictIdle(nanos);
            case SIZE, SIZE_AT_REST -> {
                return keyedOf(target).size();
            }
            case WRITE -> {
                return read(keyedOf(target), 0, key -> WIDE)
                        .forKey(new Key(target))
                        .available(nanos);
            }
            case RESTART -> {
                if (hasOwnLimits(target)) {
                    updated.put(target, setting.plans.get((int) step.argument()));
                }
                restart(nanos);
            }
        }
        return "done";
    }

    private void restart(long shift) {
        singles.replaceAll(limiter -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                limiter.writeTo(new DataOutputStream(bytes));
                return SlidingWindowLimiter.readFrom(CompactBytes.input(bytes.toByteArray()), shift);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        keyed.replaceAll(limiter -> read(limiter, shift, this::limitsOf));
    }

    private KeyedLimiter<Key> read(KeyedLimiter<Key> limiter, long shift, Function<Key, List<Limit>> limitsOf) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            limiter.writeTo(new DataOutputStream(bytes), (key, out) -> {
                callback.run();
                out.writeInt(key.number);
            });
            return KeyedLimiter.readFrom(CompactBytes.input(bytes.toByteArray()), this::readKey, shift, limitsOf);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Key readKey(DataInput in) throws IOException {
        return new Key(in.readInt());
    }

    /** Returns whether a key is there. */
    boolean has(int target) {
        return keyedOf(target).keys.map().get(new Key(target)) != null;
    }

    int size() {
        return keyed.stream().mapToInt(KeyedLimiter::size).sum();
    }

    /** Returns the latest time of each key that has an entry; null for one that has none. */
    Map<Integer, @Nullable Long> latestTimes(List<Integer> targets) {
        Map<Integer, @Nullable Long> times = new HashMap<>();
        for (int target : targets) {
            KeyedEntry<Key> entry =
                    target < KEYS ? null : keyedOf(target).keys.map().get(new Key(target));
            if (entry != null) {
                times.put(target, entry.log.isStarted() ? entry.log.latest() : null);
            }
        }
        return times;
    }

    /** Returns the eviction times of the keyed limiters; {@code null} stands for none. */
    List<@Nullable Long> evictionTimes() {
        List<@Nullable Long> times = new ArrayList<>();
        keyed.forEach(
                each -> times.add(each.keys.map().hasEvicted() ? each.keys.map().evictedAt() : null));
        return times;
    }

    void checkInvariants() {
        singles.forEach(Invariants::check);
        keyed.forEach(Invariants::check);
    }
}
