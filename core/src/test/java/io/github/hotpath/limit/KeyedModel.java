package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A {@link KeyedLimiter}, and the map that it stands for: one {@link SlidingWindowLimiter} for each key, never evicted.
 * Each call is made on both, and throws if they differ.
 *
 * <p>The rule of the eviction time is followed from outside: a key that is not there, or was added after an eviction,
 * is called in the map at the eviction time of then, if the call is earlier than that.
 */
final class KeyedModel {
    private final List<Limit> limits;
    private KeyedLimiter<Integer> subject;
    private final Map<Integer, SlidingWindowLimiter> never = new HashMap<>();

    /** Of the keys that are there, the times that they were added with; empty if there was no eviction time then. */
    private final Map<Integer, Start> there = new HashMap<>();

    /** The latest time of each key. */
    private final Map<Integer, Long> latest = new HashMap<>();

    private final List<Made> reservations = new ArrayList<>();
    private int starts;
    private int evicted;

    KeyedModel(List<Limit> limits) {
        this.limits = limits;
        this.subject = KeyedLimiter.of(limits);
    }

    /** How a key was added: which of all additions it was, and the eviction time of then. */
    private record Start(int number, boolean late, long nanos) {
        long orLater(long time) {
            return late && time - nanos < 0 ? nanos : time;
        }
    }

    /** A reservation of each. */
    private record Made(int key, int start, Reservation ours, Reservation expected) {}

    int evicted() {
        return evicted;
    }

    void tryAcquire(int key, long nanos, int permits) {
        long time = evaluatedAt(key, nanos);
        Start next = start();
        boolean expected = never(key).tryAcquire(time, permits);

        assertThat(subject.forKey(key).tryAcquire(nanos, permits)).isEqualTo(expected);
        if (expected) {
            granted(key, time);
        }
        settle(key, next, nanos);
    }

    void tryAcquireOrDelay(int key, long nanos, int permits) {
        long time = evaluatedAt(key, nanos);
        Start next = start();
        long expected = delay(never(key).tryAcquireOrDelay(time, permits), time - nanos);

        assertThat(subject.forKey(key).tryAcquireOrDelay(nanos, permits)).isEqualTo(expected);
        if (expected == 0) {
            granted(key, time);
        }
        settle(key, next, nanos);
    }

    void reserve(int key, long nanos, int permits, Duration maxDelay) {
        long time = evaluatedAt(key, nanos);
        Start next = start();
        Reservation expected = never(key).reserve(time, permits, maxDelay);

        Reservation ours = subject.forKey(key).reserve(nanos, permits, maxDelay);
        assertThat(ours.isGranted()).isEqualTo(expected.isGranted());
        assertThat(ours.delayNanos()).isEqualTo(delay(expected.delayNanos(), time - nanos));
        if (expected.isGranted()) {
            granted(key, time);
        }
        settle(key, next, nanos);
        Start start = there.get(key);
        reservations.add(new Made(key, start == null ? -1 : start.number, ours, expected));
    }

    /** Adjusts the reservation before so many others, if there is one. Once its entry is evicted it has expired. */
    void adjust(int later, int permits) {
        if (later >= reservations.size()) {
            return;
        }
        Made made = reservations.get(reservations.size() - 1 - later);
        Start start = there.get(made.key);
        boolean lives = start != null && start.number == made.start;
        boolean expected = lives && made.expected.adjustTo(permits);

        assertThat(permits == 0 ? made.ours.cancel() : made.ours.adjustTo(permits))
                .isEqualTo(expected);
    }

    void available(int key, long nanos) {
        long expected = never(key).available(evaluatedAt(key, nanos));

        assertThat(subject.forKey(key).available(nanos)).isEqualTo(expected);
    }

    void evictIdle(long nanos) {
        long time = subject.map().evictionTime.orLater(nanos);
        long mostEvicted =
                there.keySet().stream().filter(key -> never(key).isIdle(time)).count();
        Start next = start();
        int before = evicted;
        subject.evictIdle(nanos);
        settle(-1, next, nanos);
        assertThat(evicted - before).isLessThanOrEqualTo((int) mostEvicted);
        // What is idle stays only if a later call has been granted than the time to evict at.
        assertThat(there.keySet())
                .allMatch(key -> !never(key).isIdle(time) || latest.getOrDefault(key, time) - time > 0);
    }

    void clear() {
        subject.clear();
        never.clear();
        latest.clear();
        there.clear();
        assertThat(subject.size()).isZero();
        assertThat(start().late).isFalse();
    }

    /** Writes both and reads them again, with every time so much later. Reservations stay with the originals. */
    void restart(long shift) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        subject.writeTo(new DataOutputStream(bytes), (key, out) -> out.writeInt(key));
        subject = KeyedLimiter.readFrom(
                CompactBytes.input(bytes.toByteArray()), DataInput::readInt, shift, key -> limits);
        for (Map.Entry<Integer, SlidingWindowLimiter> entry : never.entrySet()) {
            bytes.reset();
            entry.getValue().writeTo(new DataOutputStream(bytes));
            entry.setValue(SlidingWindowLimiter.readFrom(CompactBytes.input(bytes.toByteArray()), shift));
        }
        latest.replaceAll((key, nanos) -> nanos + shift);
        there.replaceAll((key, start) -> new Start(start.number, start.late, start.nanos + shift));
        reservations.clear();
    }

    void check() {
        subject.checkInvariants();
        assertThat(subject.size()).isEqualTo(there.size());
    }

    private void granted(int key, long time) {
        latest.merge(key, time, (old, now) -> now - old > 0 ? now : old);
    }

    private SlidingWindowLimiter never(int key) {
        return never.computeIfAbsent(key, any -> SlidingWindowLimiter.of(limits));
    }

    private long evaluatedAt(int key, long nanos) {
        Start start = there.get(key);
        return (start == null ? start() : start).orLater(nanos);
    }

    private Start start() {
        EvictionTime time = subject.map().evictionTime;
        return new Start(starts++, time.started, time.nanos);
    }

    private static long delay(long delay, long behind) {
        return delay == 0 || delay > Long.MAX_VALUE - behind ? Math.min(delay, Long.MAX_VALUE) : delay + behind;
    }

    /** Checks which keys a call has added and evicted. */
    private void settle(int key, Start before, long nanos) {
        if (subject.map().get(key) != null) {
            there.putIfAbsent(key, before);
        }
        Start now = start();
        int gone = 0;
        for (Iterator<Integer> keys = there.keySet().iterator(); keys.hasNext(); ) {
            int other = keys.next();
            if (subject.map().get(other) == null) {
                assertThat(never(other).isIdle(now.nanos))
                        .as("idle when evicted")
                        .isTrue();
                keys.remove();
                gone++;
            }
        }
        evicted += gone;
        if (now.late != before.late || now.nanos != before.nanos) {
            assertThat(gone).as("evicted when the eviction time rose").isPositive();
            assertThat(now.nanos).isEqualTo(nanos);
        }
    }
}
