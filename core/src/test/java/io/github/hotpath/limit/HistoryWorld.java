package io.github.hotpath.limit;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A limiter, two keys of a keyed limiter, and one of another: what the steps of a history are made on. */
final class HistoryWorld {
    static final int MEMBERS = 4;
    static final int INTERVAL = 10;

    /** Counts whatever is read. */
    static final List<Limit> WIDE = List.of(Limit.of(1_000, Duration.ofNanos(INTERVAL)));

    /** What limits can become. */
    static final List<List<Limit>> PLANS = List.of(
            List.of(Limit.of(2, Duration.ofNanos(INTERVAL))),
            List.of(Limit.of(1, Duration.ofNanos(INTERVAL))),
            List.of(Limit.of(3, Duration.ofNanos(INTERVAL)), Limit.of(4, Duration.ofNanos(2 * INTERVAL))),
            List.of(Limit.ofCalls(2, Duration.ofNanos(INTERVAL))));

    private final Runnable callback;
    private final SlidingWindowLimiter service = SlidingWindowLimiter.of(PLANS.get(0));
    private final KeyedLimiter<Key> users;
    private final KeyedLimiter<Key> tenants = KeyedLimiter.of(PLANS.get(0));
    private final AtomicReferenceArray<List<Limit>> plans = new AtomicReferenceArray<>(MEMBERS);
    private final Key[] keys = new Key[MEMBERS];
    private final @Nullable Reservation[] reservations = new Reservation[HistoryProgram.STEPS];

    /** @param callback called wherever the limiters call code of their user */
    HistoryWorld(Runnable callback) {
        this.callback = callback;
        users = KeyedLimiter.of(key -> {
            callback.run();
            return plans.get(key.member);
        });
        for (int member = 0; member < MEMBERS; member++) {
            plans.set(member, PLANS.get(0));
            keys[member] = new Key(member);
        }
    }

    private final class Key {
        private final int member;

        Key(int member) {
            this.member = member;
        }

        @Override
        public boolean equals(Object other) {
            callback.run();
            return other instanceof Key key && key.member == member;
        }

        @Override
        public int hashCode() {
            callback.run();
            return member;
        }
    }

    private static boolean isUser(int member) {
        return member < 3;
    }

    private KeyedLimiter<Key> keyed(int member) {
        return isUser(member) ? users : tenants;
    }

    private Limiter limiter(int member) {
        return member == 0 ? service : keyed(member).forKey(keys[member]);
    }

    private Limiter limiter(List<Integer> members) {
        return members.size() == 1
                ? limiter(members.get(0))
                : Limiter.allOf(members.stream().map(this::limiter).toList());
    }

    /** Returns what the call has returned. */
    Object make(HistoryStep step) {
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
                reservations[step.number()] = reservation;
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
                Reservation reservation = reservations[step.argument()];
                return reservation != null && reservation.adjustTo(permits);
            }
            case CLEAR -> {
                if (target == 0) {
                    service.clear();
                } else {
                    keyed(target).clear();
                }
            }
            case REMOVE -> keyed(target).remove(keys[target]);
            case SET_LIMITS -> service.setLimits(PLANS.get(step.argument()));
            case UPDATE_LIMITS -> {
                plans.set(target, PLANS.get(step.argument()));
                users.updateLimits(keys[target]);
            }
            case UPDATE_ALL_LIMITS -> {
                plans.set(target, PLANS.get(step.argument()));
                users.updateAllLimits();
            }
            case EVICT_IDLE -> keyed(target).evictIdle(nanos);
            case SIZE, SIZE_AT_REST -> {
                return keyed(target).size();
            }
            case WRITE -> {
                return availableInCopy(target, nanos);
            }
        }
        return "done";
    }

    private long availableInCopy(int target, long nanos) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            keyed(target).writeTo(new DataOutputStream(bytes), (key, out) -> {
                callback.run();
                out.writeByte(key.member);
            });
            KeyedLimiter<Integer> copy = KeyedLimiter.readFrom(
                    CompactBytes.input(bytes.toByteArray()), in -> (int) in.readByte(), 0, key -> WIDE);
            return copy.forKey(target).available(nanos);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void checkInvariants() {
        service.checkInvariants();
        users.checkInvariants();
        tenants.checkInvariants();
    }

    /** The rules of such a world in as few lines as possible, over the models of its limiters. */
    static final class Naive {
        private final NaiveLimiter[] limiters = new NaiveLimiter[MEMBERS];
        private final List<List<Limit>> plans = new ArrayList<>();

        /** Of the users, and of the tenants: when it was evicted at the latest, if it was. */
        private final @Nullable Long[] evictionTimes = new Long[2];

        private final NaiveJoint.@Nullable Reserved[] reserved = new NaiveJoint.Reserved[HistoryProgram.STEPS];

        Naive() {
            for (int member = 0; member < MEMBERS; member++) {
                plans.add(PLANS.get(0));
            }
        }

        /** Returns the model of a limiter; for a key without entry a new one. */
        private NaiveLimiter limiter(int member) {
            NaiveLimiter limiter = limiters[member];
            if (limiter == null) {
                limiter = new NaiveLimiter(plans.get(member));
                Long evictionTime = evictionTimes[isUser(member) ? 0 : 1];
                if (member != 0 && evictionTime != null) {
                    limiter.startAt(evictionTime);
                }
            }
            return limiter;
        }

        private void remove(int member) {
            if (limiters[member] != null) {
                limiters[member].clear(); // its reservations are of no limiter any more
                limiters[member] = null;
            }
        }

        /** Evicts a key if it is idle; returns whether it was. */
        boolean evict(int member, long nanos) {
            int keyed = isUser(member) ? 0 : 1;
            Long before = evictionTimes[keyed];
            long time = before != null && before - nanos > 0 ? before : nanos;
            NaiveLimiter limiter = limiters[member];
            if (member == 0 || limiter == null || limiter.latest() - time > 0 || !limiter.isIdle(time)) {
                return false;
            }
            evictionTimes[keyed] = time;
            remove(member);
            return true;
        }

        private static boolean isSameKeyed(int member, int other) {
            return member != 0 && isUser(member) == isUser(other);
        }

        /** The same for a call that finds no entry and is told the limits of an update that is in progress. */
        String makeAsked(HistoryStep step, HistoryStep update) {
            List<Limit> before = plans.set(update.target(), PLANS.get(update.argument()));
            String returned = make(step);
            plans.set(update.target(), before);
            return returned;
        }

        /** Returns what the call returns: a string, in which two numbers are bounds. */
        String make(HistoryStep step) {
            int target = step.targets().isEmpty() ? 0 : step.target();
            long nanos = step.nanos();
            switch (step.member()) {
                case ADJUST -> {
                    NaiveJoint.Reserved made = reserved[step.argument()];
                    return String.valueOf(made != null && made.adjust(step.permits()));
                }
                case CLEAR -> {
                    for (int member = 0; member < MEMBERS; member++) {
                        if (target == 0 ? member == 0 : isSameKeyed(member, target)) {
                            remove(member);
                        }
                    }
                    evictionTimes[target == 0 ? 0 : isUser(target) ? 0 : 1] = target == 0 ? evictionTimes[0] : null;
                }
                case REMOVE -> remove(target);
                case SET_LIMITS, UPDATE_LIMITS, UPDATE_ALL_LIMITS -> {
                    plans.set(target, PLANS.get(step.argument()));
                    if (limiters[target] != null) {
                        limiters[target].setLimits(plans.get(target));
                    }
                }
                case EVICT_IDLE -> {
                    for (int member = 0; member < MEMBERS; member++) {
                        if (isSameKeyed(member, target)) {
                            evict(member, nanos);
                        }
                    }
                }
                case SIZE -> {
                    return "0.." + MEMBERS;
                }
                case SIZE_AT_REST -> {
                    return size(target, nanos);
                }
                case WRITE -> {
                    return String.valueOf(limiter(target).under(WIDE, 0).available(nanos));
                }
                default -> {
                    return call(step);
                }
            }
            return "done";
        }

        /** Idle keys may have been evicted. */
        private String size(int target, long nanos) {
            int least = 0;
            int most = 0;
            for (int member = 1; member < MEMBERS; member++) {
                if (isSameKeyed(member, target) && limiters[member] != null) {
                    least += limiters[member].isIdle(nanos) ? 0 : 1;
                    most++;
                }
            }
            return least + ".." + most;
        }

        private String call(HistoryStep step) {
            long nanos = step.nanos();
            int permits = step.permits();
            List<NaiveLimiter> members =
                    step.targets().stream().map(this::limiter).toList();
            NaiveJoint joint = new NaiveJoint(members);
            String returned = "done";
            switch (step.member()) {
                case TRY_ACQUIRE -> returned = String.valueOf(joint.tryAcquire(nanos, permits));
                case TRY_ACQUIRE_OR_DELAY -> returned = String.valueOf(joint.tryAcquireOrDelay(nanos, permits));
                case RESERVE -> {
                    NaiveJoint.Reserved made = joint.reserve(nanos, permits, step.argument());
                    reserved[step.number()] = made;
                    returned = made.text();
                }
                case DECIDE -> returned = joint.decide(nanos, permits).toString();
                case PEEK -> returned = joint.peek(nanos, permits).toString();
                case AVAILABLE -> returned = String.valueOf(joint.available(nanos));
                case IS_IDLE -> returned = String.valueOf(joint.isIdle(nanos));
                case RECORD -> joint.record(nanos, permits);
                case CLOSE_FOR -> joint.closeFor(nanos, step.argument());
                default -> throw new AssertionError(step);
            }
            for (int i = 0; i < members.size(); i++) {
                NaiveLimiter member = members.get(i);
                int number = step.targets().get(i);
                if (number == 0 || member.isStarted() && !member.isIdle(member.latest())) {
                    limiters[number] = member;
                }
            }
            return returned;
        }
    }
}
