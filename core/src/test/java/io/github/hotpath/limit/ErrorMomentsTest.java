package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.internal.StackReserve;
import io.github.hotpath.testing.ChildJvm;
import io.github.hotpath.testing.Fields;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors at moments that the random calls of {@link LimiterErrors} seldom hit. */
@Timeout(600)
class ErrorMomentsTest {
    private final SlidingWindowLimiter first = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter second = Limiters.acquiring(Limiters.of(9, 10), 0);
    private final SlidingWindowLimiter third = Limiters.acquiring(Limiters.of(9, 10), 0);

    /**
     * When the error is thrown: in the middle of a transaction on several gates, where a stack seldom overflows, since
     * the locks are acquired by calls that need more of it than those that follow.
     */
    private enum Moment {
        DECIDE,
        CHECK,
        CHANGE,
        CONCLUDE
    }

    private final class Failing extends Transaction {
        private final Moment moment;

        Failing(Moment moment) {
            super(new Gate[] {first, second, third});
            this.moment = moment;
        }

        private void failAt(Moment at) {
            if (at == moment) {
                throw new StackOverflowError();
            }
        }

        @Override
        long decide(Gate[] gates, long nanos, int permits) {
            failAt(Moment.DECIDE);
            return CHANGE;
        }

        @Override
        boolean areCurrent() {
            failAt(Moment.CHECK);
            return true;
        }

        @Override
        void change(Gate[] gates, long nanos, int permits) {
            failAt(Moment.CHANGE);
        }

        @Override
        void conclude(Gate[] gates, long nanos, int permits) {
            failAt(Moment.CONCLUDE);
        }
    }

    private void checkReleased() {
        for (SlidingWindowLimiter limiter : new SlidingWindowLimiter[] {first, second, third}) {
            assertThat(limiter.isInUse()).isFalse();
            assertThat(limiter.inUse).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void run_errorWhileLocksAreHeld_releasesThem(Moment moment) {
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(moment).run(1, 1));

        checkReleased();
        assertThat(first.state).isEqualTo(Gate.UNKNOWN);
        assertThat(second.state).isEqualTo(Gate.UNKNOWN);
        assertThat(third.state).isEqualTo(Gate.UNKNOWN);
        Limiter all = Limiter.allOf(first, second, third);
        assertThat(all.available(1)).isEqualTo(8);
        assertThat(all.tryAcquire(1, 8)).isTrue();
        assertThat(all.tryAcquire(1, 1)).isFalse();
    }

    /** An entry that has been evicted is never used again. */
    @Test
    void run_errorWhenOneIsRetired_itStaysRetired() {
        first.retire();

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(Moment.DECIDE).run(1, 1));

        checkReleased();
        assertThat(first.isRetired()).isTrue();
        assertThat(second.isRetired()).isFalse();
    }

    /** After an error, until the next call that holds the lock, requests are refused with the lock. */
    @Test
    void run_refusedAfterAnError_publishesAgain() {
        assertThat(second.tryAcquire(0, 8)).isTrue();
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> new Failing(Moment.DECIDE).run(1, 1));
        assertThat(second.refuses(1)).isFalse();

        assertThat(Limiter.allOf(first, second).tryAcquire(1, 1)).isFalse();

        assertThat(second.refuses(1)).isTrue();
    }

    /** As when memory ends. Nothing counts, and nobody is refused by what was published before. */
    @Test
    void tryAcquire_errorWhenTheLogGrows_changesNothing() throws IOException {
        assertThat(first.tryAcquire(1, 1)).isTrue();
        Object log = requireNonNull(Fields.get(first.log, "log"));
        Object full = requireNonNull(Fields.get(log, "last"));
        String before = Limiters.FORM.hex(first);
        Fields.set(log, "last", new long[1]);

        assertThatExceptionOfType(ArrayIndexOutOfBoundsException.class).isThrownBy(() -> first.tryAcquire(2, 1));

        Fields.set(log, "last", full);
        checkReleased();
        assertThat(first.state).isEqualTo(Gate.UNKNOWN);
        assertThat(Limiters.FORM.hex(first)).isEqualTo(before);
        first.checkInvariants();
    }

    /** Where the call that has added a key throws an error, and then another one, before it could remove the key. */
    private enum Adding {
        /** It is in the rotation, and not in the map. */
        LINK,
        ASK,
        CALL
    }

    @ParameterizedTest
    @EnumSource
    void run_errorWhenAKeyIsAdded_itIsEvictedThoughItCouldNotBeRemoved(Adding moment) {
        boolean[] fails = {moment == Adding.ASK};
        KeyedLimiter<String> keyed = KeyedLimiter.of(key -> {
            if (fails[0]) {
                throw new StackOverflowError();
            }
            return List.of(Limit.of(9, Limiters.nanos(10)));
        });
        KeyMap<String> map = keyed.table.map();
        Object entries = requireNonNull(Fields.get(map, "entries"));
        if (moment == Adding.LINK) {
            Fields.set(map, "entries", new ConcurrentHashMap<String, KeyedEntry<String>>() {
                @Override
                public KeyedEntry<String> computeIfAbsent(
                        String key, Function<? super String, ? extends KeyedEntry<String>> added) {
                    added.apply(key);
                    throw new OutOfMemoryError();
                }
            });
        }

        assertThatThrownBy(() -> new Transaction(new NeverFinished(keyed.forKey("a"))) {
                    @Override
                    long decide(Gate[] gates, long nanos, int permits) {
                        throw new StackOverflowError();
                    }
                }.run(0, 1))
                .isInstanceOf(VirtualMachineError.class);

        fails[0] = false;
        Fields.set(map, "entries", entries);
        assertThat(keyed.forKey("b").tryAcquire(0, 1)).isTrue(); // examines the other
        assertThat(keyed.size()).isEqualTo(1);
        keyed.checkInvariants();
    }

    /** A key for which each call ends with an error. */
    private static final class NeverFinished extends Member {
        private final Member key;

        NeverFinished(Limiter key) {
            this.key = (Member) key;
        }

        @Override
        @Nullable
        Gate find() {
            return key.find();
        }

        @Override
        Gate findOrAdd() {
            return key.findOrAdd();
        }

        @Override
        void ask(Gate gate) {
            key.ask(gate);
        }

        @Override
        void finish(Gate gate, long nanos, boolean isChanged, boolean isRevocable) {
            throw new StackOverflowError();
        }
    }

    /** Calls of which an error in the middle would leave something half done. */
    private enum Undivided {
        CHANGE,
        RELEASE,
        ACQUIRE,
        ACQUIRE_ASYNC,
        LEAVE
    }

    private static Runnable call(Undivided what, BlockingSimulation simulation) throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(2, 10), 0);
        BlockingLimiter turns = BlockingLimiter.of(limiter, () -> 1);
        Reservation turn = turns.acquire(1);
        CompletableFuture<Reservation> waiting = turns.acquireAsync(1, simulation.scheduler);
        BlockingLimiter full = BlockingLimiter.of(limiter, () -> 1, 0);
        PermitLog log = requireNonNull((PermitLog) Fields.get(limiter.log, "log"));
        return switch (what) {
            case CHANGE -> () -> log.change(log.head(), 1, 0);
            case RELEASE -> () -> turn.adjustTo(1);
            case ACQUIRE ->
                () -> {
                    try {
                        full.tryAcquire(1, Duration.ofDays(1));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                };
            case ACQUIRE_ASYNC ->
                () -> {
                    Object unused = full.acquireAsync(1, simulation.scheduler);
                };
            case LEAVE -> () -> waiting.cancel(false);
        };
    }

    @ParameterizedTest
    @EnumSource
    void undivided_littleStackIsLeft_throwsBeforeItBegins(Undivided what) throws InterruptedException {
        BlockingSimulation simulation = BlockingSimulation.still(0);
        Runnable reserve = what == Undivided.CHANGE ? StackReserve::check : StackReserve::checkForMap;
        call(what, simulation).run(); // so that every class is there
        Diver diver = new Diver(call(what, simulation), reserve);
        diver.dive();
        simulation.close();

        assertThat(diver.hasReserve).isTrue();
    }

    /** Or a request that nobody knows of would be the first in line for ever. */
    @Test
    void acquireAsync_clockFailsWhereLittleStackIsLeft_leavesTheLine() throws InterruptedException {
        BlockingSimulation simulation = BlockingSimulation.still(0);
        AtomicInteger readings = new AtomicInteger();
        BlockingLimiter turns = BlockingLimiter.of(Limiters.acquiring(Limiters.of(1, 10), 0), () -> {
            if (readings.getAndIncrement() % 2 == 1) {
                throw new IllegalStateException();
            }
            return 0;
        });
        Runnable call = () -> {
            readings.set(0);
            Object unused = turns.acquireAsync(1, simulation.scheduler);
        };
        call.run(); // so that every class is there

        new Diver(call, () -> {}).dive();

        assertThat(turns.waiting()).isZero();
        simulation.close();
    }

    /** Goes down to the end of its stack, and makes a call on the way back until it returns: was there a reserve? */
    private static final class Diver implements Runnable {
        private final Runnable call;
        private final Runnable reserve;
        private boolean isDone;
        private boolean hasReserve;

        Diver(Runnable call, Runnable reserve) {
            this.call = call;
            this.reserve = reserve;
        }

        void dive() throws InterruptedException {
            Thread thread = new Thread(null, this, "diver", 256 << 10);
            thread.start();
            thread.join();
        }

        @Override
        public void run() {
            try {
                run();
            } catch (StackOverflowError bottom) {
                // back again
            }
            if (!isDone) {
                try {
                    call.run();
                    isDone = true;
                    reserve.run();
                    hasReserve = true;
                } catch (StackOverflowError e) {
                    // the next frame above has more stack, unless the call has returned
                }
            }
        }
    }

    /** Another call holds the lock of the third, so the others are released, to be acquired in order. */
    @Test
    void run_contended_acquiresAllInOrder() throws InterruptedException {
        assertThat(third.log.tryLock()).isTrue();
        Thread other = new Thread(() -> Limiter.allOf(first, second, third).record(1, 1));
        other.start();
        while (first.isInUse() == second.isInUse() && other.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        third.log.unlock();
        other.join();

        checkReleased();
        assertThat(Limiter.allOf(first, second, third).available(1)).isEqualTo(7);
    }

    /** A cancellation takes effect, and once only, though there is no memory to compact the log then. */
    @Test
    void cancel_noMemoryToCompact_hasTakenEffect(@TempDir Path temp) throws Exception {
        ChildJvm jvm = new ChildJvm(temp, Limiter.class, Arguments.class, ErrorMomentsTest.class);

        assertThat(jvm.run(NoMemory.class, List.of("-Xmx16m", "-XX:+UseSerialGC")))
                .containsExactly("taken effect though an error was thrown: true");
    }

    static final class NoMemory {
        private static final int GRANTED = 4_000;

        /** As many cancelled entries as stay, and then the log is compacted, or is to be by each one that follows. */
        private static final int HALF = GRANTED / 2;

        private NoMemory() {}

        public static void main(String[] unused) {
            SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(GRANTED, Duration.ofSeconds(1)));
            List<Reservation> reservations = IntStream.range(0, GRANTED)
                    .mapToObj(time -> limiter.reserve(time, 1, Duration.ZERO))
                    .toList();
            byte[][] ballast = new byte[1 << 14][];
            boolean hasTakenEffect = false;
            for (int i = 0; i < HALF + 20; i++) {
                if (Math.abs(i - HALF) < 10) {
                    load(ballast);
                }
                boolean isThrown = false;
                try {
                    reservations.get(i).cancel();
                } catch (OutOfMemoryError e) {
                    isThrown = true;
                }
                Arrays.fill(ballast, null);
                hasTakenEffect |= isThrown && limiter.available(GRANTED) == i + 1;
                reservations.get(i).cancel(); // with memory
                if (limiter.available(GRANTED) != i + 1) {
                    throw new AssertionError(limiter.available(GRANTED) + ", not " + (i + 1) + ", thrown: " + isThrown);
                }
            }
            limiter.checkInvariants(); // with memory it was compacted
            System.out.println("taken effect though an error was thrown: " + hasTakenEffect);
        }

        /** Leaves less memory in one piece than the compacted log takes, and more than the cancellation. */
        private static void load(byte[][] ballast) {
            int count = 0;
            for (int size = 1 << 20; size >= 1 << 13; size /= 2) {
                try {
                    while (true) {
                        ballast[count] = new byte[size];
                        count++;
                    }
                } catch (OutOfMemoryError full) {
                    // on with smaller ones
                }
            }
        }
    }
}
