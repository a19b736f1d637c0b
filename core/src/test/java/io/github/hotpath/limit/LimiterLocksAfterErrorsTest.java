package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.PolledLock;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever the stack overflows in a call of a limiter, no lock stays held, and a limiter that is cleared is as new. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimiterLocksAfterErrorsTest {
    private static final List<Limit> LIMITS = List.of(Limit.of(4, nanos(100)), Limit.ofCalls(3, nanos(100)));

    private final SlidingWindowLimiter client = SlidingWindowLimiter.of(LIMITS);
    private final SlidingWindowLimiter service = SlidingWindowLimiter.of(LIMITS);
    private final KeyedLimiter<Integer> users = KeyedLimiter.of(LIMITS);
    private final KeyedLimiter<Integer> tenants = KeyedLimiter.of(tenant -> LIMITS);
    private int nextKey;
    private int failures;
    private boolean hasEnded;

    /** A limiter alone, a key with an entry, one without, and several together. */
    private List<Limiter> limiters() {
        int key = nextKey++ % 100;
        return List.of(
                client,
                users.forKey(-1),
                users.forKey(key),
                tenants.forKey(key),
                Limiter.allOf(client, service),
                Limiter.allOf(service, users.forKey(key), client, tenants.forKey(key), tenants.forKey(-1)));
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                onAll("tryAcquire", (limiter, time) -> limiter.tryAcquire(time, 1)),
                onAll("tryAcquire of two", (limiter, time) -> limiter.tryAcquire(time, 2)),
                onAll("tryAcquireOrDelay", (limiter, time) -> limiter.tryAcquireOrDelay(time, 3)),
                onAll("reserve", (limiter, time) -> limiter.reserve(time, 2, Duration.ofSeconds(1))),
                onAll("adjustTo", (limiter, time) -> {
                    Reservation reservation = limiter.reserve(time, 2, Duration.ofSeconds(1));
                    reservation.adjustTo(3);
                    reservation.cancel();
                }),
                onAll("decide", (limiter, time) -> limiter.decide(time, 1)),
                onAll("peek", (limiter, time) -> limiter.peek(time, 1)),
                onAll("available", (limiter, time) -> limiter.available(time)),
                onAll("isIdle", (limiter, time) -> limiter.isIdle(time)),
                onAll("record", (limiter, time) -> limiter.record(time, 5)),
                onAll("closeFor", (limiter, time) -> limiter.closeFor(time, nanos(50))),
                call("setLimits", test -> test.client.setLimits(LIMITS)),
                call("clear", test -> test.client.clear()),
                call("updateLimits", test -> {
                    test.tenants.updateLimits(-1);
                    test.tenants.updateAllLimits();
                }),
                call("evictIdle", test -> test.users.evictIdle(1L << 40)),
                call("remove", test -> test.users.remove(-1)),
                call("writeTo", test -> {
                    try {
                        DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());
                        test.client.writeTo(out);
                        test.users.writeTo(out, (key, keys) -> keys.writeInt(key));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }));
    }

    private interface Call {
        void on(Limiter limiter, long time);
    }

    /** A call on each of the limiters, at times at which it is granted and at which it is refused. */
    private static Arguments onAll(String name, Call call) {
        return call(name, test -> {
            for (Limiter limiter : test.limiters()) {
                call.on(limiter, 40L * test.nextKey);
            }
        });
    }

    private static Arguments call(String name, Consumer<LimiterLocksAfterErrorsTest> call) {
        return Arguments.of(name, call);
    }

    /** At every depth of the stack, from its end up to where the call succeeds. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void stackOverflows_atAnyDepth(String name, Consumer<LimiterLocksAfterErrorsTest> call) throws Exception {
        for (int i = 0; i < 10; i++) {
            call.accept(this); // links and initializes what it uses
        }
        Thread thread = new Thread(null, () -> callAtEveryDepth(call), "small stack", 200_000);

        thread.start();
        thread.join();

        assertThat(failures).isPositive();
        List<Gate> gates = new ArrayList<>(List.of(client, service));
        users.keys.map().entries().forEach(gates::add);
        tenants.keys.map().entries().forEach(gates::add);
        assertThat(gates).allMatch(gate -> gate.log.holder == PolledLock.FREE);
        for (SlidingWindowLimiter limiter : List.of(client, service)) {
            limiter.clear();
            assertThat(limiter.tryAcquire(0, 4)).isTrue();
            Invariants.check(limiter);
        }
        for (KeyedLimiter<Integer> keyed : List.of(users, tenants)) {
            keyed.clear();
            assertThat(keyed.forKey(-1).tryAcquire(0, 4)).isTrue();
            Invariants.check(keyed);
        }
    }

    /**
     * Calls itself until the stack ends, and on the way back, each time with a little more of the stack left, {@code
     * call} until that succeeds, or leaves a lock held, for which the next one would wait.
     */
    private void callAtEveryDepth(Consumer<LimiterLocksAfterErrorsTest> call) {
        try {
            callAtEveryDepth(call);
        } catch (StackOverflowError e) {
            // here is the end
        }
        if (!hasEnded) {
            try {
                call.accept(this);
                hasEnded = true;
            } catch (VirtualMachineError | RuntimeException e) { // what is thrown once a log is changed in part, too
                failures++;
                hasEnded = client.log.holder != PolledLock.FREE || service.log.holder != PolledLock.FREE;
            }
        }
    }
}
