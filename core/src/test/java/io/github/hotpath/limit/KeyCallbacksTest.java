package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.hotpath.testing.CompactBytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code of the user that a {@link KeyedLimiter} calls, and that throws, waits, or calls the limiter: its call fails or
 * waits, and no other one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyCallbacksTest {
    private static final Limit ONE = Limit.of(1, nanos(10));
    private static final Limit TWO = Limit.of(2, nanos(10));

    /** A key whose hash is asked for so often without failing. */
    private static final class Failing {
        private final Throwable failure;
        private int left = Integer.MAX_VALUE;

        Failing(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public int hashCode() {
            if (left-- <= 0) {
                throw KeyCallbacksTest.<RuntimeException>sneaky(failure);
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    /** Throws a checked exception that nothing declares, as Kotlin and Lombok do. */
    @SuppressWarnings("unchecked") // the cast does nothing at run time: that is the trick
    private static <T extends Throwable> RuntimeException sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException(), new AssertionError(), new IOException(), new StackOverflowError());
    }

    /** Calls that evict an idle key of somebody else. */
    static Stream<Arguments> evicting() {
        return failures()
                .flatMap(failure -> Stream.<Consumer<KeyedLimiter<Object>>>of(
                                keyed -> assertThat(keyed.forKey("new").tryAcquire(100, 1))
                                        .isTrue(),
                                keyed -> assertThat(keyed.forKey("old")
                                                .decide(100, 1)
                                                .isGranted())
                                        .isTrue(),
                                keyed -> assertThat(Limiter.allOf(keyed.forKey("new"), Limiters.of(1, 10))
                                                .tryAcquire(100, 1))
                                        .isTrue(),
                                keyed -> keyed.forKey("new").record(100, 1),
                                keyed -> keyed.evictIdle(100))
                        .map(call -> Arguments.of(failure, call)));
    }

    @ParameterizedTest
    @MethodSource("evicting")
    void hashCode_ofAnotherKeyFails_isNoBusinessOfTheCall(Throwable failure, Consumer<KeyedLimiter<Object>> call) {
        KeyedLimiter<Object> keyed = KeyedLimiter.of(ONE);
        Failing bad = new Failing(failure);
        keyed.forKey("old").tryAcquire(0, 1);
        keyed.forKey(bad).tryAcquire(0, 1);
        bad.left = 0;

        call.accept(keyed);

        assertThatThrownBy(() -> keyed.forKey(bad).tryAcquire(100, 1)).isSameAs(failure);
        for (int time = 200; time < 1_000; time += 100) { // whenever it comes to be examined
            assertThat(keyed.forKey("another").tryAcquire(time, 1)).isTrue();
        }
        bad.left = Integer.MAX_VALUE;
        assertThat(keyed.forKey(bad).tryAcquire(1_000, 1)).isTrue();
        assertThat(keyed.forKey(bad).tryAcquire(1_000, 1)).isFalse();
        keyed.evictIdle(2_000);
        assertThat(keyed.size()).isZero();
        Invariants.check(keyed);
    }

    /** A call on several keys, of which one fails at any moment. */
    @ParameterizedTest
    @MethodSource("failures")
    void hashCode_ofOneOfSeveralFails_noneIsAddedAndNothingCounts(Throwable failure) {
        Throwable thrown = failure;
        int failed = 0;
        for (int left = 0; thrown != null; left++) {
            KeyedLimiter<Object> users = KeyedLimiter.of(TWO);
            KeyedLimiter<Object> tenants = KeyedLimiter.of(key -> List.of(TWO));
            SlidingWindowLimiter service = Limiters.of(2, 10);
            Failing bad = new Failing(failure);
            Limiter all = Limiter.allOf(
                    users.forKey("a"), tenants.forKey("b"), tenants.forKey(bad), users.forKey("c"), service);

            bad.left = left;
            thrown = catchThrowable(() -> all.tryAcquire(0, 1));
            bad.left = Integer.MAX_VALUE;

            if (thrown != null) {
                failed++;
                assertThat(thrown).isSameAs(failure);
                assertThat(users.size() + tenants.size()).as("after %d", left).isZero();
                assertThat(service.available(0)).isEqualTo(2);
            }
            assertThat(all.tryAcquire(0, thrown == null ? 1 : 2)).isTrue(); // no lock is held
            Invariants.check(users);
            Invariants.check(tenants);
        }
        assertThat(failed).isPositive();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void limitsOf_fails_nothingIsAddedOrHeld(Throwable failure) {
        boolean[] fails = {true};
        KeyedLimiter<String> keyed = KeyedLimiter.of(key -> {
            if (fails[0] && key.equals("bad")) {
                throw KeyCallbacksTest.<RuntimeException>sneaky(failure);
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
            assertThat(keyed.size()).isZero();
            assertThat(service.isIdle(0)).isTrue();
        }

        fails[0] = false;
        assertThat(all.tryAcquire(0, 2)).isTrue();
        fails[0] = true;
        assertThatThrownBy(() -> keyed.updateLimits("bad")).isSameAs(failure);
        assertThat(all.available(11)).isEqualTo(2);
        Invariants.check(keyed);
    }

    /** The first failure is thrown, and what the call has added under other keys is removed. */
    @Test
    void limitsOf_failsAndAKeyCannotBeRemoved_theOthersAre() {
        IllegalStateException failure = new IllegalStateException();
        Failing stuck = new Failing(new AssertionError("of another key"));
        KeyedLimiter<Object> keyed = KeyedLimiter.of(TWO);
        KeyedLimiter<String> failing = KeyedLimiter.of(key -> {
            stuck.left = 0;
            throw failure;
        });
        Limiter all = Limiter.allOf(keyed.forKey(stuck), keyed.forKey("a"), failing.forKey("b"));

        assertThatThrownBy(() -> all.tryAcquire(0, 1)).isSameAs(failure);

        assertThat(keyed.size()).isEqualTo(1);
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

    static List<Consumer<Limiter>> refused() {
        return List.of(
                limiter -> assertThat(limiter.tryAcquire(0, 3)).isFalse(),
                limiter -> assertThat(limiter.decide(0, 3).isGranted()).isFalse(),
                limiter -> assertThat(limiter.peek(0, 1).isGranted()).isTrue(),
                limiter -> assertThat(limiter.isIdle(0)).isTrue());
    }

    /** Otherwise a call would not return, and ask again and again, while others with its keys are refused. */
    @ParameterizedTest
    @MethodSource("refused")
    void limitsOf_othersAreRefusedWheneverItIsAsked_isAskedOnce(Consumer<Limiter> others) {
        List<Limiter> all = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        Function<String, List<Limit>> limitsOf = key -> {
            if (depth.getAndIncrement() == 0 && asked.incrementAndGet() < 1_000) {
                others.accept(all.get(0));
            }
            depth.decrementAndGet();
            return List.of(TWO);
        };
        KeyedLimiter<String> users = KeyedLimiter.of(limitsOf);
        KeyedLimiter<String> tenants = KeyedLimiter.of(limitsOf);
        all.add(Limiter.allOf(users.forKey("a"), tenants.forKey("b")));

        for (Consumer<Limiter> call : refused()) {
            asked.set(0);
            call.accept(all.get(0));
            assertThat(asked.get()).isLessThanOrEqualTo(2); // once by each of the two
            assertThat(users.size() + tenants.size()).isZero();
        }
        asked.set(0);
        assertThat(all.get(0).tryAcquire(0, 1)).isTrue();
        assertThat(asked).hasValue(2);
        Invariants.check(users);
        Invariants.check(tenants);
    }

    /** Nothing counts for such a key, so its entry may be evicted at once; those that still ask for it go on. */
    @Test
    void limitsOf_noneAndOthersAreGrantedWheneverItIsAsked_isAskedOnce() {
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        itself.set(KeyedLimiter.of(key -> {
            if (depth.getAndIncrement() == 0 && asked.incrementAndGet() < 1_000) {
                assertThat(itself.get().forKey(key).tryAcquire(0, 1)).isTrue();
                itself.get().evictIdle(0);
            }
            depth.decrementAndGet();
            return List.of();
        }));

        assertThat(itself.get().forKey("a").tryAcquire(0, 1)).isTrue();

        assertThat(asked).hasValue(1);
        itself.get().evictIdle(0);
        assertThat(itself.get().size()).isZero();
    }

    /** Its error is no reason to begin again for those that still ask. */
    @Test
    void limitsOf_throwsInAnotherCallMeanwhile_isAskedOnce() {
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        itself.set(KeyedLimiter.of(key -> {
            if (depth.get() > 0) {
                throw new IllegalStateException("no answer");
            }
            depth.incrementAndGet();
            if (asked.incrementAndGet() < 1_000) {
                assertThatThrownBy(() -> itself.get().forKey(key).tryAcquire(0, 1))
                        .hasMessage("no answer");
                itself.get().evictIdle(0);
            }
            depth.decrementAndGet();
            return List.of(Limit.of(1, nanos(10)));
        }));

        assertThat(itself.get().forKey("a").tryAcquire(0, 1)).isTrue();

        assertThat(asked).hasValue(1);
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

    /** More than every key is granted is refused by a look at the map: nothing is added and removed again. */
    @Test
    void hashCode_morePermitsThanTheLimitsOfAllKeys_isAskedOnce() {
        KeyedLimiter<Failing> keyed = KeyedLimiter.of(Limit.ofCalls(1, nanos(10)), TWO);
        Failing key = new Failing(new AssertionError("asked twice"));

        key.left = 1;
        assertThat(keyed.forKey(key).tryAcquire(0, 3)).isFalse();
        key.left = 1;
        assertThat(keyed.forKey(key).tryAcquireOrDelay(0, 3)).isEqualTo(Long.MAX_VALUE);
        key.left = Integer.MAX_VALUE;
        assertThat(keyed.size()).isZero();
        assertThat(keyed.forKey(key).tryAcquire(0, 2)).isTrue();
    }

    /** As often as it is asked: the limiter holds no lock then. */
    @Test
    void limitsOf_asksTheLimiterItself_isAnswered() {
        AtomicReference<KeyedLimiter<String>> itself = new AtomicReference<>();
        AtomicInteger depth = new AtomicInteger();
        itself.set(KeyedLimiter.of(key -> {
            if (depth.getAndIncrement() == 0) {
                assertThat(itself.get().forKey(key).tryAcquire(0, 1)).isTrue();
                assertThat(itself.get().forKey("other").tryAcquire(0, 1)).isTrue();
                itself.get().evictIdle(5);
            }
            return List.of(TWO);
        }));

        assertThat(itself.get().forKey("a").tryAcquire(0, 1)).isTrue();

        assertThat(itself.get().forKey("a").tryAcquire(0, 1)).isFalse();
        assertThat(itself.get().size()).isEqualTo(2);
        Invariants.check(itself.get());
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

    /** A key equal to another one, which is not equal to it: as java.util.Date and java.sql.Timestamp are. */
    private static final class OneSided {
        private final boolean isEqualToOthers;

        OneSided(boolean isEqualToOthers) {
            this.isEqualToOthers = isEqualToOthers;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || isEqualToOthers && other instanceof OneSided;
        }
    }

    /** The writer and the reader of a key may fail, or use the limiter, which serves meanwhile. */
    @Test
    void writer_failsOrUsesTheLimiter_othersGoOn() throws IOException {
        KeyedLimiter<String> keyed = KeyedLimiter.of(TWO);
        keyed.forKey("a").tryAcquire(0, 1);
        keyed.forKey("b").tryAcquire(0, 1);
        failures().forEach(failure -> {
            assertThatThrownBy(() -> keyed.writeTo(new DataOutputStream(new ByteArrayOutputStream()), (key, out) -> {
                        throw KeyCallbacksTest.<RuntimeException>sneaky(failure);
                    }))
                    .isSameAs(failure);
        });

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
}
