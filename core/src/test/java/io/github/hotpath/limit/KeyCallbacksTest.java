package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.testing.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code of the user that a {@link KeyedLimiter} calls, and that throws, waits, or calls the limiter: its call fails or
 * waits, and no other one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyCallbacksTest {
    private static final Limit ONE = Limit.of(1, nanos(10));
    private static final Limit TWO = Limit.of(2, nanos(10));

    @Test
    void limitsOf_fails_nothingCountsOrIsHeld() {
        RuntimeException failure = new IllegalStateException("no answer");
        boolean[] fails = {true};
        KeyedLimiter<String> keyed = KeyedLimiter.of(key -> {
            if (fails[0] && key.equals("bad")) {
                throw failure;
            }
            return List.of(TWO);
        });
        SlidingWindowLimiter service = Limiters.of(2, 10);
        Limiter all = Limiter.allOf(keyed.forKey("good"), keyed.forKey("bad"), service);

        for (Consumer<Limiter> call : List.<Consumer<Limiter>>of(
                limiter -> limiter.tryAcquire(0, 1),
                limiter -> limiter.tryAcquireOrDelay(0, 1),
                limiter -> limiter.decide(0, 1),
                limiter -> limiter.peek(0, 1),
                limiter -> limiter.available(0),
                limiter -> limiter.record(0, 1),
                limiter -> limiter.closeFor(0, nanos(5)),
                limiter -> limiter.reserve(0, 1, nanos(5)))) {
            assertThatThrownBy(() -> call.accept(keyed.forKey("bad"))).isSameAs(failure);
            assertThatThrownBy(() -> call.accept(all)).isSameAs(failure);
            assertThat(keyed.size()).isLessThanOrEqualTo(1); // the good one, which is idle
            assertThat(keyed.forKey("good").isIdle(0)).isTrue();
            assertThat(service.isIdle(0)).isTrue();
        }

        fails[0] = false;
        assertThat(all.tryAcquire(0, 2)).isTrue();
        fails[0] = true;
        assertThatThrownBy(() -> keyed.updateLimits("bad")).isSameAs(failure);
        assertThat(all.available(11)).isEqualTo(2);
        Invariants.check(keyed);
    }

    /** Otherwise a call would not return while somebody changes the limits of others: none waits. */
    @ParameterizedTest
    @ValueSource(strings = {"other", "known"})
    void limitsOf_updatesLimitsOfOthersWheneverItIsAsked_callsReturn(String other) {
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        itself.set(KeyedLimiter.of(key -> {
            if (!key.equals(other) && asked.incrementAndGet() < 1_000) {
                itself.get().updateLimits(other);
            }
            return List.of(ONE);
        }));
        KeyedLimiter<String> keyed = itself.get();
        keyed.forKey("known").tryAcquire(0, 1);

        List<Function<String, Object>> calls = List.of(
                key -> keyed.forKey(key).tryAcquire(0, 1),
                key -> keyed.forKey(key).tryAcquire(0, 1),
                key -> Limiter.allOf(keyed.forKey(key), Limiters.acquiring(Limiters.of(1, 10), 0))
                        .tryAcquireOrDelay(0, 1),
                key -> keyed.forKey(key).peek(0, 1),
                key -> keyed.forKey(key).available(0),
                key -> {
                    keyed.updateLimits(key);
                    return key;
                });
        for (Function<String, Object> call : calls) {
            asked.set(0);
            call.apply("a");
            assertThat(asked.get()).isLessThanOrEqualTo(2);
        }
    }

    /** Those end sooner: they are granted, and their entry is evicted, since no limit counts anything. */
    @Test
    void limitsOf_othersAskMeanwhile_isAskedOnce() {
        AtomicReference<Limiter> itself = new AtomicReference<>();
        AtomicReference<KeyedLimiter<String>> all = new AtomicReference<>();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        all.set(KeyedLimiter.of(key -> {
            if (depth.getAndIncrement() == 0 && asked.incrementAndGet() < 1_000) {
                assertThat(itself.get().tryAcquire(0, 1)).isTrue();
                all.get().evictIdle(0);
            }
            depth.decrementAndGet();
            return List.of();
        }));
        itself.set(all.get().forKey("a"));

        assertThat(itself.get().tryAcquire(0, 1)).isTrue();

        assertThat(asked).hasValue(1);
        all.get().evictIdle(0);
        assertThat(all.get().size()).isZero();
    }

    /** Or callers that invent keys would ask a database as often as they like. */
    @Test
    void limitsOf_anotherLimiterIsExhausted_isNotAskedByTryAcquire() {
        AtomicInteger asked = new AtomicInteger();
        KeyedLimiter<String> keyed = KeyedLimiter.of(key -> {
            asked.incrementAndGet();
            return List.of(ONE);
        });
        SlidingWindowLimiter exhausted = Limiters.acquiring(Limiters.of(1, 10), 0);

        assertThat(Limiter.allOf(keyed.forKey("a"), exhausted).tryAcquire(5, 1)).isFalse();
        assertThat(Limiter.allOf(exhausted, keyed.forKey("b")).tryAcquire(5, 1)).isFalse();

        assertThat(asked).hasValue(0);
    }

    /** Whatever others call meanwhile: the key itself included, whose limits are asked for again. */
    @Test
    void limitsOf_waits_othersDoNot() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        KeyedLimiter<String> keyed = KeyedLimiter.of(key -> {
            if (key.equals("slow") && Thread.currentThread().getName().equals("waiting")) {
                isAsked.countDown();
                try {
                    mayAnswer.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return List.of(TWO);
        });
        keyed.forKey("known").tryAcquire(0, 1);
        SlidingWindowLimiter service = Limiters.of(9, 10);
        Limiter all = Limiter.allOf(service, keyed.forKey("known"), keyed.forKey("slow"));
        FutureTask<Boolean> waiting = new FutureTask<>(() -> all.tryAcquire(0, 1));
        new Thread(waiting, "waiting").start();
        isAsked.await();

        assertThat(service.tryAcquire(0, 1)).isTrue();
        assertThat(keyed.forKey("known").available(0)).isEqualTo(1);
        assertThat(keyed.forKey("new").tryAcquire(0, 1)).isTrue();
        assertThat(keyed.forKey("slow").tryAcquire(0, 1)).isTrue();
        assertThat(keyed.forKey("slow").decide(0, 2).isGranted()).isFalse();
        keyed.updateLimits("slow");
        keyed.evictIdle(0);
        keyed.writeTo(new DataOutputStream(new ByteArrayOutputStream()), (key, out) -> out.writeUTF(key));
        assertThat(keyed.size()).isLessThanOrEqualTo(3);
        keyed.clear();
        assertThat(waiting.isDone()).isFalse();
        mayAnswer.countDown();

        assertThat(waiting.get()).isTrue();
        assertThat(keyed.forKey("slow").available(0)).isEqualTo(1);
        assertThat(service.available(0)).isEqualTo(7);
        Invariants.check(keyed);
    }

    /** The writer and the reader of a key may fail, or use the limiter, which serves meanwhile. */
    @Test
    void writer_failsOrUsesTheLimiter_othersGoOn() throws IOException {
        KeyedLimiter<String> keyed = KeyedLimiter.of(TWO);
        keyed.forKey("a").tryAcquire(0, 1);
        keyed.forKey("b").tryAcquire(0, 1);
        RuntimeException failure = new IllegalStateException("no such client");
        assertThatThrownBy(() -> keyed.writeTo(new DataOutputStream(new ByteArrayOutputStream()), (key, out) -> {
                    throw failure;
                }))
                .isSameAs(failure);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        keyed.writeTo(new DataOutputStream(bytes), (key, out) -> {
            assertThat(keyed.forKey("c" + key).tryAcquire(0, 1)).isTrue();
            assertThat(keyed.forKey(key).tryAcquire(0, 1)).isTrue();
            out.writeUTF(key);
        });

        KeyedLimiter<String> read = KeyedLimiter.readFrom(
                CompactBytes.input(bytes.toByteArray()),
                in -> {
                    assertThat(keyed.forKey("a").available(0)).isZero();
                    return in.readUTF();
                },
                0,
                key -> List.of(TWO));
        assertThat(read.forKey("a").available(0)).isBetween(0L, 1L);
        assertThat(read.forKey("b").available(0)).isBetween(0L, 1L);
        Invariants.check(keyed);
    }

    /** A key that runs something when its hash is asked for next. */
    private static final class Key {
        private Runnable next = () -> {};

        @Override
        public int hashCode() {
            Runnable now = next;
            next = () -> {};
            now.run();
            return 0;
        }
    }

    /** A read of several keys tells a state that was: not of one before clear(), and of another one after it. */
    @Test
    void peek_absentKeyIsAddedAndAllAreCleared_tellsTheStateAfterwards() {
        Key present = new Key();
        Key absent = new Key();
        AtomicReference<Runnable> whenAsked = new AtomicReference<>(() -> {});
        KeyedLimiter<Key> keyed = KeyedLimiter.of(key -> {
            whenAsked.getAndSet(() -> {}).run();
            return List.of(TWO);
        });
        keyed.forKey(present).tryAcquire(0, 1);
        whenAsked.set(() -> {
            keyed.forKey(absent).tryAcquire(0, 1);
            keyed.forKey(present).tryAcquire(0, 1);
            absent.next = keyed::clear; // when the key is looked for again, with the lock of the other one held
        });

        Decision read =
                Limiter.allOf(keyed.forKey(present), keyed.forKey(absent)).peek(0, 1);

        assertThat(read.quotas()).extracting(Quota::remaining).containsExactly(2L, 2L);
    }
}
