package io.github.hotpath.limit;

import static io.github.hotpath.limit.Limiters.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.limit.BlockingSimulation.Simulated;
import io.github.hotpath.testing.FromAnyStart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the members of {@link BlockingLimiter} do, by a clock that stands still unless it is advanced. The line is for
 * one permit in 10 ns where nothing else is said.
 */
class BlockingLimiterTest {
    private static final Duration ANY = Duration.ofSeconds(Long.MAX_VALUE);

    /** A reservation with which others complete a future. */
    private static final Reservation OTHER = Reservation.refused(1);

    private BlockingSimulation simulation = BlockingSimulation.still(0);

    /** How much the clock is behind that of the simulation. */
    private long behind;

    /** Runs once, when the clock has been read. */
    private Runnable whenRead = () -> {};

    /** Who has read the clock, each time. */
    private final List<Thread> readers = new ArrayList<>();

    private final SlidingWindowLimiter limiter = Limiters.of(1, 10);
    private final BlockingLimiter turns = over(limiter);

    @AfterEach
    void endAll() {
        simulation.close();
    }

    private void beginAt(long start) {
        simulation.close();
        simulation = BlockingSimulation.still(start);
    }

    private BlockingLimiter over(Limiter limiter) {
        return over(limiter, Integer.MAX_VALUE);
    }

    private BlockingLimiter over(Limiter limiter, int maxWaiting) {
        return new BlockingLimiter(limiter, this::readClock, maxWaiting, simulation);
    }

    private long readClock() {
        readers.add(Thread.currentThread());
        long nanos = simulation.nanos() - behind;
        Runnable read = whenRead;
        whenRead = () -> {};
        read.run();
        return nanos;
    }

    /** The kinds of requests, for the rules that hold for all of them. */
    private enum Kind {
        ACQUIRE,
        TRY_ACQUIRE,
        ACQUIRE_ASYNC
    }

    private CompletableFuture<Reservation> request(Kind kind, BlockingLimiter turns, int permits) {
        return switch (kind) {
            case ACQUIRE -> simulation.start(() -> turns.acquire(permits));
            case TRY_ACQUIRE -> simulation.start(() -> turns.tryAcquire(permits, ANY));
            case ACQUIRE_ASYNC -> turns.acquireAsync(permits, simulation.scheduler);
        };
    }

    private static void assertGranted(CompletableFuture<Reservation> request) {
        assertThat(request).isDone();
        assertGranted(request.join());
    }

    private static void assertGranted(Reservation reservation) {
        assertThat(reservation.isGranted()).isTrue();
        assertThat(reservation.delayNanos()).isZero();
    }

    private static void assertRefused(CompletableFuture<Reservation> request, long delay) {
        assertThat(request).isDone();
        assertRefused(request.join(), delay);
    }

    private static void assertRefused(Reservation reservation, long delay) {
        assertThat(reservation.isGranted()).isFalse();
        assertThat(reservation.delayNanos()).isEqualTo(delay);
    }

    /** Returns what such a request has failed with. */
    private static Throwable failure(CompletableFuture<?> request) {
        assertThat(request).isCompletedExceptionally();
        return request.handle((reservation, e) -> e).join();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void any_null_isRejected() {
        Map<String, ThrowingCallable> calls = Map.of(
                "limiter", () -> BlockingLimiter.of(null),
                "nanoClock", () -> BlockingLimiter.of(limiter, null),
                "timeout", () -> turns.tryAcquire(1, null),
                "scheduler", () -> turns.acquireAsync(1, null));

        calls.forEach((argument, call) ->
                assertThatNullPointerException().isThrownBy(call).withMessage(argument));
        assertThat(limiter.isIdle(0)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void acquiring_lessThanOnePermit_isRejected(int permits) {
        String message = "permits: " + permits + " (expected: at least 1)";
        assertRejected(() -> turns.acquire(permits), message);
        assertRejected(() -> turns.tryAcquire(permits, Duration.ZERO), message);
        assertRejected(() -> turns.acquireAsync(permits, simulation.scheduler), message);
    }

    @Test
    void any_lessThanZero_isRejected() {
        assertRejected(() -> BlockingLimiter.of(limiter, -1), "maxWaiting: -1 (expected: at least 0)");
        for (Duration timeout : List.of(nanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertRejected(() -> turns.tryAcquire(1, timeout), "timeout: " + timeout + " (expected: zero or more)");
        }
    }

    private void assertRejected(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
        assertThat(limiter.isIdle(0)).isTrue();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void acquiring_limiterGrants_returnsAtOnce() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(5, 10);
        BlockingLimiter turns = over(limiter);

        assertGranted(turns.acquire(2));
        assertGranted(turns.tryAcquire(1, Duration.ZERO));
        assertGranted(turns.acquireAsync(1, simulation.scheduler));

        assertThat(limiter.available(simulation.now())).isEqualTo(1);
        assertThat(turns.waiting()).isZero();
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** In Resilience4j, newer calls get ahead (#336); in Guava, the request after a heavy one waits for it (#3044). */
    @FromAnyStart
    void acquiring_limiterRefuses_isServedInOrderAfterItsExactDelay(long start) throws InterruptedException {
        beginAt(start);
        BlockingLimiter turns = over(Limiters.of(3, 10));
        turns.acquire(1);

        List<CompletableFuture<Reservation>> requests = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            requests.add(request(kind, turns, 3));
        }
        requests.add(request(Kind.ACQUIRE_ASYNC, turns, 1)); // two are left, and not for this one
        simulation.settle();
        assertThat(turns.waiting()).isEqualTo(4);

        for (CompletableFuture<Reservation> first : requests) {
            simulation.advance(10);
            assertThat(first).isNotDone();
            assertThat(simulation.scheduler.size()).isEqualTo(first instanceof Simulated ? 0 : 1); // no other timer
            simulation.advance(1);
            assertGranted(first);
        }
        assertThat(simulation.parks).containsExactly(11L, Parking.ENDLESS, 11L);
        assertThat(turns.waiting()).isZero();
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** Only the first in line has a time to wake at, and one with a time-out. LangChain's limiter polls. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquiring_wokenEarly_waitsOnAndEndsInTime(boolean isFirstByThen) throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(2, 10));
        turns.acquire(1);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(2));
        Simulated<Reservation> second = simulation.start(() -> turns.acquire(2));
        Simulated<Reservation> impatient = simulation.start(() -> turns.tryAcquire(1, nanos(5)));

        simulation.advance(4);
        for (Simulated<Reservation> woken : List.of(first, second, impatient)) {
            simulation.unpark(woken.thread);
        }
        simulation.settle();

        assertThat(simulation.parks).containsExactlyInAnyOrder(11L, Parking.ENDLESS, 5L, 7L, Parking.ENDLESS, 1L);
        assertThat(turns.waiting()).isEqualTo(3);
        if (isFirstByThen) {
            first.cancel(true);
            second.cancel(true);
            simulation.settle();
            assertGranted(impatient);
        } else {
            simulation.advance(1);
            assertRefused(impatient, 1);
            simulation.advance(6);
            assertGranted(first);
            assertThat(second).isNotDone();
        }
    }

    /** A delay of centuries is waited for in pieces. */
    @ParameterizedTest
    @EnumSource
    void acquiring_delayIsEndless_isWaitedFor(Kind kind) throws InterruptedException {
        limiter.closeFor(simulation.now(), ANY);
        assertRefused(turns.tryAcquire(1, nanos(Long.MAX_VALUE - 2)), Long.MAX_VALUE - 1);

        CompletableFuture<Reservation> waiting = request(kind, turns, 1);
        simulation.advance(Parking.LONGEST_PAUSE);
        assertThat(waiting).isNotDone();
        limiter.clear();
        simulation.advance(Parking.LONGEST_PAUSE - 1);
        assertThat(waiting).isNotDone();
        simulation.advance(1);

        assertGranted(waiting);
    }

    /** When the delay ends there is a longer one. */
    @ParameterizedTest
    @EnumSource
    void acquiring_permitsTakenPastTheLine_onlyDelayIt(Kind kind) {
        SlidingWindowLimiter limiter = Limiters.acquiring(Limiters.of(2, 10), 0);
        CompletableFuture<Reservation> waiting = request(kind, over(limiter), 2);

        simulation.advance(5);
        assertThat(limiter.tryAcquire(simulation.now(), 1)).isTrue();
        simulation.advance(10);
        assertThat(waiting).isNotDone();
        simulation.advance(1);

        assertGranted(waiting);
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** In Bucket4j, the tokens of a thread that is interrupted while it waits are lost; Guava's waits on (#1754). */
    @Test
    void acquire_interrupted_throwsWithoutPermitsAndIsInterruptedNoMore() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(10, 10);
        BlockingLimiter turns = over(limiter);
        Callable<Boolean> waits = () -> {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> turns.acquire(10));
            return Thread.currentThread().isInterrupted();
        };
        Simulated<Boolean> before = simulation.start(() -> {
            Thread.currentThread().interrupt();
            return waits.call();
        });
        turns.acquire(10); // so many are left
        Simulated<Boolean> first = simulation.start(waits);
        Simulated<Boolean> second = simulation.start(waits);

        first.cancel(true);
        simulation.settle();
        second.cancel(true);
        simulation.advance(11);

        assertThat(List.of(before, first, second))
                .allSatisfy(call -> assertThat(call).isCompletedWithValue(false));
        assertThat(limiter.available(simulation.now())).isEqualTo(10);
        assertThat(turns.waiting()).isZero();
    }

    /** An interrupt comes too late when the clock has been read for the request that is granted. */
    @Test
    void acquire_interruptedAtTheGrant_isGrantedAndStaysInterrupted() {
        SlidingWindowLimiter limiter = Limiters.of(2, 10);
        BlockingLimiter turns = over(limiter);
        Callable<Boolean> acquires = () -> turns.acquire(2).isGranted() && Thread.interrupted();

        whenRead = () -> Thread.currentThread().interrupt();
        Simulated<Boolean> first = simulation.start(acquires);
        Simulated<Boolean> second = simulation.start(acquires);
        whenRead = () -> Thread.currentThread().interrupt();
        simulation.advance(11);

        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(limiter.available(simulation.now())).isZero();
    }

    /** Starts so many threads, one after the other, of which each acquires one permit. */
    private List<Simulated<Reservation>> threads(int number, BlockingLimiter turns) {
        List<Simulated<Reservation>> threads = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            threads.add(simulation.start(() -> turns.acquire(1)));
        }
        return threads;
    }

    private static List<Thread> threadsOf(List<Simulated<Reservation>> requests) {
        return requests.stream().map(request -> request.thread).toList();
    }

    /** The one that is refused is woken before those that are granted, since its delay has begun. */
    @Test
    void acquire_firstIsGranted_acquiresForThoseBehindAndWakesThemAfterwards() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(4, 10));
        turns.acquire(4);
        List<Simulated<Reservation>> requests = threads(6, turns);

        readers.clear();
        simulation.unparks.clear();
        simulation.advance(11);

        assertThat(requests.subList(0, 4)).allSatisfy(BlockingLimiterTest::assertGranted);
        assertThat(turns.waiting()).isEqualTo(2);
        List<Thread> threads = threadsOf(requests);
        assertThat(readers).containsOnly(threads.get(0), threads.get(4));
        assertThat(simulation.unparks).containsExactly(threads.get(4), threads.get(1), threads.get(2), threads.get(3));
    }

    /** It has to wake them all, and may be in a hurry itself. */
    @Test
    void acquire_manyWait_oneThreadServesThemToABound() throws InterruptedException {
        int number = BlockingLimiter.MAX_SERVED + 3;
        BlockingLimiter turns = over(Limiters.of(number, 10));
        turns.acquire(number);
        List<Simulated<Reservation>> requests = threads(number, turns);

        readers.clear();
        simulation.advance(11);

        assertThat(requests).allSatisfy(BlockingLimiterTest::assertGranted);
        List<Thread> threads = threadsOf(requests);
        assertThat(readers).containsOnly(threads.get(0), threads.get(BlockingLimiter.MAX_SERVED + 1));
    }

    /** A permit that was acquired for a thread that has left meanwhile is for the next one. */
    @Test
    void acquire_interruptedWhileTheFirstAsksForIt_leavesThePermitToTheNext() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(2, 10);
        BlockingLimiter turns = over(limiter);
        turns.acquire(2);
        List<Simulated<Reservation>> requests = threads(3, turns);
        Simulated<Reservation> second = requests.get(1);

        whenRead = () -> whenRead = () -> { // the first asks for itself, and then for the second
            second.cancel(true);
            passUntil(second::isDone);
        };
        simulation.advance(11);

        assertGranted(requests.get(0));
        assertThat(failure(second)).isInstanceOf(InterruptedException.class);
        assertGranted(requests.get(2));
        assertThat(limiter.available(simulation.now())).isZero();
    }

    private void passUntil(BooleanSupplier isReached) {
        for (int i = 0; i < 1_000 && !isReached.getAsBoolean(); i++) {
            simulation.pass();
        }
        assertThat(isReached.getAsBoolean()).isTrue();
    }

    @Test
    void acquire_interruptedWhenTheFirstHasAcquiredForIt_isGrantedAndStaysInterrupted() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(3, 10));
        turns.acquire(3);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(1));
        Simulated<Boolean> second = simulation.start(() -> turns.acquire(1).isGranted() && Thread.interrupted());
        Simulated<Reservation> third = simulation.start(() -> turns.acquire(1));

        whenRead = () -> whenRead = () -> whenRead = () -> second.cancel(true); // the first asks for the third
        simulation.advance(11);

        assertGranted(first);
        assertThat(second).isCompletedWithValue(true);
        assertGranted(third);
    }

    /** It is woken for no reason, and has found that it is not the first, when the first one acquires for it. */
    @Test
    void acquire_failsWhenTheFirstHasAcquiredForIt_leavesThePermitToTheNext() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(2, 10));
        turns.acquire(2);
        List<Simulated<Reservation>> requests = threads(3, turns);
        Simulated<Reservation> first = requests.get(0);
        Simulated<Reservation> second = requests.get(1);
        RuntimeException thrown = new IllegalStateException("thrown by the clock");

        whenRead = () -> {
            AtomicBoolean hasRead = new AtomicBoolean();
            whenRead = () -> {
                hasRead.set(true);
                passUntil(first::isDone);
                throw thrown;
            };
            simulation.unpark(second.thread);
            passUntil(hasRead::get);
        };
        simulation.advance(11);

        assertGranted(first);
        assertThat(failure(second)).isSameAs(thrown);
        assertGranted(requests.get(2));
    }

    /** What is thrown when the first one asks for another concerns that one. */
    @Test
    void acquire_anotherDoesNotFitAnyMore_isGrantedNevertheless() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(5, 10);
        BlockingLimiter turns = over(limiter);
        turns.acquire(5);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(1));
        Simulated<Reservation> heavy = simulation.start(() -> turns.acquire(4));
        Simulated<Reservation> last = simulation.start(() -> turns.acquire(1));

        limiter.setLimits(Limit.of(3, nanos(10)));
        simulation.advance(11);

        assertGranted(first);
        assertThat(failure(heavy)).isInstanceOf(IllegalArgumentException.class);
        assertGranted(last);
    }

    /** The scheduler of the future behind them cannot create a thread. */
    @Test
    void acquire_errorWhenTheNextIsWoken_thoseThatAreGrantedAreWoken() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(2, 10));
        Reservation own = turns.acquire(2);
        List<Simulated<Reservation>> requests = threads(2, turns);
        CompletableFuture<Reservation> future = turns.acquireAsync(1, simulation.scheduler);

        simulation.scheduler.isOutOfMemory = true;
        own.cancel();
        simulation.settle();

        assertThat(failure(requests.get(0))).isInstanceOf(OutOfMemoryError.class);
        assertGranted(requests.get(1));
        assertThat(future).isNotDone();
    }

    @Test
    void acquiring_morePermitsThanALimit_isRejectedAtOnce() throws InterruptedException {
        BlockingLimiter turns = over(
                SlidingWindowLimiter.of(Limit.ofCalls(2, nanos(10)), Limit.of(5, nanos(10)), Limit.of(9, nanos(100))));
        turns.acquire(5);
        List<ThrowingCallable> calls = List.of(
                () -> turns.acquire(6),
                () -> turns.tryAcquire(6, Duration.ZERO),
                () -> turns.acquireAsync(6, simulation.scheduler));

        for (Kind waiting : Kind.values()) {
            for (ThrowingCallable call : calls) {
                assertThatIllegalArgumentException()
                        .isThrownBy(call)
                        .withMessage("permits: 6 (expected: at most 5, as of " + Limit.of(5, nanos(10)) + ")");
            }
            assertThat(request(waiting, turns, 5)).isNotDone();
        }

        assertThat(turns.waiting()).isEqualTo(3);
    }

    /** And what one of them releases wakes the next at once. */
    @Test
    void acquire_ofSeveralLimitersAndKeys_waitsForAll() throws InterruptedException {
        SlidingWindowLimiter service = Limiters.of(3, 10);
        KeyedLimiter<String> users = KeyedLimiter.of(Limit.of(2, nanos(20)));
        BlockingLimiter turns = over(Limiter.allOf(users.forKey("a"), service));
        turns.acquire(2);

        Simulated<Reservation> waiting = simulation.start(() -> turns.acquire(2));
        simulation.advance(20);
        assertThat(waiting).isNotDone();
        simulation.advance(1);
        assertGranted(waiting);
        Simulated<Reservation> next = simulation.start(() -> turns.acquire(1));
        assertThat(waiting.join().adjustTo(1)).isTrue();
        simulation.settle();
        assertGranted(next);

        assertThat(waiting.join().cancel()).isTrue();
        assertThat(next.join().cancel()).isTrue();
        assertThat(users.forKey("a").available(simulation.now())).isEqualTo(2);
        assertThat(service.available(simulation.now())).isEqualTo(3);
        assertThatIllegalArgumentException().isThrownBy(() -> turns.acquire(3));
    }

    /** Where one slot would suit both without a wait, but after the time of the call, it is not its turn yet. */
    @Test
    void acquire_latestTimesDiffer_waitsUntilBothGrantAtOnce() {
        SlidingWindowLimiter few = Limiters.acquiring(Limiters.of(2, 10), 0, 0);
        SlidingWindowLimiter many = Limiters.acquiring(Limiters.of(9, 10), 50);
        BlockingLimiter turns = over(Limiter.allOf(few, many));

        Simulated<Reservation> waiting = simulation.start(() -> turns.acquire(1));
        assertThat(waiting).isNotDone();
        simulation.advance(11);

        assertGranted(waiting);
    }

    @Test
    void acquiring_clockThrows_leavesTheLine() throws InterruptedException {
        turns.acquire(1);
        List<CompletableFuture<Reservation>> requests = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            requests.add(request(kind, turns, 1));
        }
        Simulated<Reservation> last = simulation.start(() -> turns.acquire(1));

        for (CompletableFuture<Reservation> first : requests) {
            RuntimeException thrown = new IllegalStateException("thrown by the clock");
            whenRead = () -> {
                throw thrown;
            };
            turns.recheck();
            simulation.settle();
            assertThat(failure(first)).isSameAs(thrown);
        }
        assertThat(turns.waiting()).isEqualTo(1);
        simulation.advance(11);

        assertGranted(last);
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** In .NET, RetryAfter is null, or the whole window (dotnet/runtime#92557). */
    @FromAnyStart
    void tryAcquire_delayIsLongerThanTheTimeout_isRefusedAtOnce(long start) throws InterruptedException {
        beginAt(start);
        BlockingLimiter turns = over(Limiters.of(3, 10));
        turns.acquire(1);

        assertRefused(turns.tryAcquire(3, Duration.ZERO), 11);
        assertRefused(turns.tryAcquire(3, nanos(10)), 11);
        Simulated<Reservation> first = simulation.start(() -> turns.tryAcquire(3, nanos(11)));
        assertRefused(turns.tryAcquire(3, nanos(10)), 11); // also if others wait
        assertRefused(turns.tryAcquire(2, Duration.ZERO), 1); // the limiter would grant it, the line does not
        simulation.advance(11);

        assertGranted(first);
    }

    /**
     * A time-out of Resilience4j does not reach a thread that waits for a permit (#2336). In concurrency-limits, each
     * loses a permit, until the limiter is dead (PR#179).
     */
    @FromAnyStart
    void tryAcquire_notServedInTime_isRefusedWithTheLimitersDelay(long start) throws InterruptedException {
        beginAt(start);
        BlockingLimiter turns = over(Limiters.of(2, 10));
        turns.acquire(2);

        Simulated<Reservation> first = simulation.start(() -> turns.acquire(2));
        Simulated<Reservation> second = simulation.start(() -> turns.tryAcquire(1, nanos(15)));
        simulation.advance(14);
        assertGranted(first);
        assertRefused(second, 11); // when it becomes the first, since that is too late
        Simulated<Reservation> third = simulation.start(() -> turns.acquire(2));
        Simulated<Reservation> fourth = simulation.start(() -> turns.tryAcquire(1, nanos(9)));
        assertThat(simulation.parks).endsWith(8L, 9L);
        simulation.advance(8);

        assertGranted(third);
        assertRefused(fourth, 11);
        assertThat(turns.waiting()).isZero();
    }

    /** A clock that goes back a little, as those of two processors may differ, ends no time-out. */
    @Test
    void tryAcquire_clockGoesBack_waitsForItsTimeout() throws InterruptedException {
        turns.acquire(1);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(1));
        Simulated<Reservation> second = simulation.start(() -> turns.tryAcquire(1, ANY));
        Simulated<Reservation> third = simulation.start(() -> turns.tryAcquire(1, nanos(20)));

        behind = 3;
        simulation.unpark(third.thread);
        simulation.unpark(second.thread);
        simulation.settle();

        assertThat(turns.waiting()).isEqualTo(3);
        assertThat(simulation.parks).containsExactlyInAnyOrder(11L, Parking.ENDLESS, 20L, Parking.ENDLESS, 20L);
        behind = 0;
        simulation.advance(22);
        assertGranted(first);
        assertGranted(second);
        assertRefused(third, 2);
    }

    @Test
    void acquiring_lineIsFull_isRefusedAtOnce() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(2, 10), 1);
        turns.acquire(1);
        Simulated<Reservation> waiting = simulation.start(() -> turns.acquire(2));

        assertRefused(turns.tryAcquire(2, ANY), 11);
        assertRefused(turns.tryAcquire(1, ANY), 1); // the limiter would grant it
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> turns.acquire(1))
                .withMessage("the line is full: 1 wait already");
        assertThat(failure(turns.acquireAsync(1, simulation.scheduler)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("the line is full: 1 wait already");
        assertThat(turns.waiting()).isEqualTo(1);

        waiting.cancel(true);
        simulation.settle();
        turns.acquire(1);
        assertThat(turns.acquireAsync(2, simulation.scheduler)).isNotDone();
    }

    /** Ways to complete a future from outside, by the methods of {@link CompletableFuture}. */
    private static final Map<String, Consumer<CompletableFuture<Reservation>>> WAYS = Map.of(
            "cancel", future -> assertThat(future.cancel(true)).isTrue(),
            "complete", future -> assertThat(future.complete(OTHER)).isTrue(),
            "completeExceptionally",
                    future -> assertThat(future.completeExceptionally(new TimeoutException()))
                            .isTrue(),
            "completeAsync", future -> future.completeAsync(() -> OTHER, Runnable::run),
            "completeOnTimeout", future -> future.completeOnTimeout(OTHER, 1, TimeUnit.NANOSECONDS),
            "orTimeout", future -> future.orTimeout(1, TimeUnit.NANOSECONDS),
            "obtrudeValue", future -> future.obtrudeValue(OTHER),
            "obtrudeException", future -> future.obtrudeException(new TimeoutException()));

    static Set<String> ways() {
        return WAYS.keySet();
    }

    /**
     * From any place, and takes its timer with it; most often before it completes, so that its dependents find the line
     * as it is then. In .NET, cancelled requests block those behind them (dotnet/runtime#77180); in Cadence, on Go's
     * limiter, they starve the others (PR#6030); Bucket4j's futures ignore {@code cancel}.
     */
    @ParameterizedTest
    @MethodSource("ways")
    void acquireAsync_completedByOthers_leavesTheLineAtOnce(String way) throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(2, 10);
        BlockingLimiter turns = over(limiter);
        turns.acquire(1);
        CompletableFuture<Reservation> heavy = turns.acquireAsync(2, simulation.scheduler);
        CompletableFuture<Reservation> between = turns.acquireAsync(1, simulation.scheduler);
        CompletableFuture<Reservation> light = turns.acquireAsync(1, simulation.scheduler);
        CompletableFuture<Integer> seenBetween = between.handle((granted, e) -> turns.waiting());
        CompletableFuture<Integer> seenHeavy = heavy.handle((granted, e) -> turns.waiting());

        boolean isFirst = !way.startsWith("completeAsync") && !way.startsWith("obtrude"); // otherwise after dependents

        WAYS.get(way).accept(between);
        assertThat(seenBetween.join()).isEqualTo(isFirst ? 2 : 3);
        assertThat(turns.waiting()).isEqualTo(2);
        assertThat(light).isNotDone();
        assertThat(simulation.scheduler.size()).isEqualTo(1); // the first is not woken
        WAYS.get(way).accept(heavy);
        assertThat(seenHeavy.join()).isEqualTo(isFirst ? 1 : 2);
        simulation.settle();

        assertGranted(light); // one was left all the time
        assertThat(turns.waiting()).isZero();
        assertThat(simulation.scheduler.size()).isZero();
        assertThat(limiter.available(simulation.now())).isZero();
    }

    /**
     * Whatever the policy of the scheduler, which here keeps tasks that are cancelled (grpc-java#1307). Timers that
     * cannot be taken out of it are not there for long.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquireAsync_cancelledOften_leavesNoTimersAfterASecond(boolean isOpaque) {
        limiter.closeFor(simulation.now(), Duration.ofHours(10));

        for (int i = 0; i < 1_000; i++) {
            turns.acquireAsync(1, isOpaque ? simulation.opaqueScheduler : simulation.scheduler)
                    .cancel(true);
        }

        assertThat(simulation.scheduler.size()).isEqualTo(isOpaque ? 1_000 : 0);
        simulation.advance(Duration.ofSeconds(1).toNanos());
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** In cross-media-measurement, a request that is cancelled at the moment of its grant consumes it (PR#4444). */
    @Test
    void acquireAsync_completedAtTheGrant_releasesThePermits() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(10, 10);
        BlockingLimiter turns = over(limiter);
        turns.acquire(10);
        CompletableFuture<Reservation> first = turns.acquireAsync(5, simulation.scheduler);
        CompletableFuture<Reservation> second = turns.acquireAsync(5, simulation.scheduler);

        whenRead = () -> first.cancel(false); // it is asked for next
        simulation.advance(11);

        assertThat(first).isCancelled();
        assertGranted(second);
        assertThat(limiter.available(simulation.now())).isEqualTo(5);
    }

    /** How a future that is the first in line is completed: each leaves two permits, or one and the limit of one. */
    private enum End {
        CANCELLED,
        GRANTED,
        LIMIT_LOWERED,
        REJECTED
    }

    /** A dependent that waits, here for its own turn, must not keep the line waiting. */
    @ParameterizedTest
    @EnumSource
    void acquireAsync_completedWithADependentThatWaits_letsTheNextGoOn(End end) throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(2, 10);
        BlockingLimiter turns = over(limiter);
        Reservation own = turns.acquire(1);
        if (end != End.CANCELLED) {
            turns.acquire(1);
        }
        CompletableFuture<Reservation> first = turns.acquireAsync(end == End.GRANTED ? 1 : 2, simulation.scheduler);
        Simulated<Reservation> next = simulation.start(() -> turns.acquire(1));
        CompletableFuture<Reservation> again = first.handle((reservation, e) -> waiting(turns));

        Simulated<Boolean> unused = simulation.start(() -> switch (end) {
            case CANCELLED -> first.cancel(false);
            case GRANTED -> true;
            case LIMIT_LOWERED -> {
                limiter.setLimits(Limit.of(1, nanos(10)));
                turns.recheck();
                yield true;
            }
            case REJECTED -> {
                simulation.scheduler.isRejecting = true;
                yield own.cancel();
            }
        });
        simulation.advance(end == End.GRANTED || end == End.LIMIT_LOWERED ? 11 : 0);

        assertGranted(next);
        assertThat(first.isCompletedExceptionally()).isNotEqualTo(end == End.GRANTED);
        assertThat(again).isNotDone();
        assertThat(simulation.scheduler.size()).isZero(); // nor is there a timer any more
        simulation.advance(11);
        assertGranted(again);
    }

    private static Reservation waiting(BlockingLimiter turns) {
        try {
            return turns.acquire(1);
        } catch (InterruptedException interrupt) {
            throw new CancellationException();
        }
    }

    @Test
    void acquireAsync_schedulerRejects_failsAndTheNextIsServed() throws InterruptedException {
        turns.acquire(1);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(1));
        List<CompletableFuture<Reservation>> futures = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) { // one after another, not one in the other
            futures.add(turns.acquireAsync(1, simulation.scheduler));
        }
        Simulated<Reservation> last = simulation.start(() -> turns.acquire(1));

        simulation.scheduler.isRejecting = true;
        simulation.advance(11);

        assertGranted(first);
        assertThat(futures.stream().allMatch(CompletableFuture::isCompletedExceptionally))
                .isTrue();
        assertThat(turns.waiting()).isEqualTo(1);
        simulation.advance(11);
        assertGranted(last);
        assertThat(failure(turns.acquireAsync(1, simulation.scheduler))) // as soon as it needs a timer
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void adjustTo_fewerOrNone_wakesTheFirstAtOnce() throws InterruptedException {
        BlockingLimiter turns = over(Limiters.of(10, 10));
        Reservation own = turns.acquire(8);
        Simulated<Reservation> first = simulation.start(() -> turns.acquire(5));
        CompletableFuture<Reservation> second = turns.acquireAsync(2, simulation.scheduler);
        simulation.advance(3);

        assertThat(own.adjustTo(6)).isTrue();
        simulation.settle();
        assertThat(first).isNotDone();
        assertThat(own.adjustTo(5)).isTrue();
        simulation.settle();
        assertGranted(first);
        assertThat(second).isNotDone();
        assertThat(own.adjustTo(2)).isTrue();
        simulation.settle();
        assertGranted(second);
        CompletableFuture<Reservation> third = turns.acquireAsync(3, simulation.scheduler);
        assertThat(own.cancel()).isTrue();
        assertThat(third).isNotDone(); // a task of the scheduler completes it
        simulation.settle();

        assertGranted(third);
        assertThat(simulation.scheduler.size()).isZero();
        assertThat(simulation.now()).isEqualTo(3);
    }

    /** The limiter has been asked, and has refused, but the timer is not set yet. */
    @Test
    void cancel_whileTheFutureIsAsking_asksAgain() throws InterruptedException {
        Reservation own = turns.acquire(1);
        simulation.scheduler.whenDelayed = own::cancel;

        CompletableFuture<Reservation> future = turns.acquireAsync(1, simulation.scheduler);
        simulation.settle();

        assertGranted(future);
        assertThat(simulation.scheduler.size()).isZero();
    }

    /** The limiter waits for a lock of its own after it has refused, and that uses up the permit of the thread. */
    @Test
    void recheck_betweenTheLookAndThePark_isNotMissed() {
        KeyedLimiter<Object> keys = KeyedLimiter.of(Limit.of(1, nanos(10)));
        AtomicReference<Runnable> whenRemoved = new AtomicReference<>(() -> {});
        Object key = new Object() {
            @Override
            public int hashCode() {
                for (KeyedEntry<Object> entry : keys.keys.map().entries()) {
                    if (entry.log.holder != PolledLock.FREE) {
                        whenRemoved.get().run();
                    }
                }
                return 1;
            }
        };
        BlockingLimiter line = over(Limiter.allOf(keys.forKey(key), Limiters.acquiring(limiter, 0)));
        whenRemoved.set(() -> {
            if (line.waiting() > 0) {
                whenRemoved.set(() -> {});
                limiter.clear();
                line.recheck();
                simulation.park(this, 1);
            }
        });

        Simulated<Reservation> waiting = simulation.start(() -> line.acquire(1));

        assertGranted(waiting);
    }

    /** In Envoy and gubernator, a limit that is raised is noticed in the next window only (#744, #37). */
    @Test
    void recheck_changeFromElsewhere_isNoticedAtOnce() throws InterruptedException {
        turns.recheck(); // nobody waits
        turns.acquire(1);
        Simulated<Reservation> thread = simulation.start(() -> turns.acquire(1));
        CompletableFuture<Reservation> future = turns.acquireAsync(1, simulation.scheduler);

        limiter.clear();
        simulation.settle();
        assertThat(thread).isNotDone(); // it has not been told
        turns.recheck();
        simulation.settle();
        assertGranted(thread);
        limiter.setLimits(Limit.of(2, nanos(10)));
        turns.recheck();
        simulation.settle();

        assertGranted(future);
    }

    /** As when the scheduler cannot create a thread. */
    @Test
    void recheck_afterAnErrorOfTheScheduler_wakesTheFuture() throws InterruptedException {
        Reservation own = turns.acquire(1);
        CompletableFuture<Reservation> first = turns.acquireAsync(1, simulation.scheduler);
        simulation.scheduler.isOutOfMemory = true;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(own::cancel);

        simulation.scheduler.isOutOfMemory = false;
        turns.recheck();
        simulation.advance(0);

        assertGranted(first);
    }

    /** Those that can never be granted any more leave when they are asked for, and the others go on. */
    @Test
    void recheck_limitLowered_whoDoesNotFitLeaves() throws InterruptedException {
        SlidingWindowLimiter limiter = Limiters.of(5, 10);
        BlockingLimiter turns = over(limiter);
        turns.acquire(5);
        List<CompletableFuture<Reservation>> heavy = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            heavy.add(request(kind, turns, 4));
        }
        Simulated<Reservation> light = simulation.start(() -> turns.acquire(3));

        limiter.setLimits(Limit.of(3, nanos(10)));
        assertThat(turns.waiting()).isEqualTo(4);
        turns.recheck();
        simulation.settle();

        assertThat(heavy)
                .allSatisfy(request -> assertThat(failure(request))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("permits: 4 (expected: at most 3, as of "));
        assertThat(turns.waiting()).isEqualTo(1);
        simulation.advance(11);
        assertGranted(light);
    }

    /** An earlier timer takes the place of a later one. If the future is cancelled meanwhile, that one goes, too. */
    @FromAnyStart
    void recheck_delayIsShorterNow_setsTheTimerAgain(long start) throws InterruptedException {
        for (boolean isCancelled : new boolean[] {false, true}) {
            beginAt(start);
            SlidingWindowLimiter limiter = Limiters.of(2, 100);
            BlockingLimiter turns = over(limiter);
            turns.acquire(1);
            simulation.advance(50);
            Reservation elsewhere = limiter.reserve(simulation.now(), 1, Duration.ZERO);
            CompletableFuture<Reservation> first = turns.acquireAsync(2, simulation.scheduler);

            elsewhere.cancel();
            if (isCancelled) {
                simulation.scheduler.whenDelayed = () -> first.cancel(false);
            }
            turns.recheck();
            simulation.settle();
            assertThat(simulation.scheduler.size()).isEqualTo(isCancelled ? 0 : 1);
            simulation.advance(50);
            assertThat(first.isDone()).isEqualTo(isCancelled);
            simulation.advance(1);

            assertThat(first).isDone();
            assertThat(first.isCancelled()).isEqualTo(isCancelled);
            assertThat(simulation.scheduler.size()).isZero();
        }
    }

    /** Its timer may end while a task asks, on another thread of the scheduler. */
    @Test
    void recheck_whenTheTimerEnds_asksOnceAtATime() throws InterruptedException {
        turns.acquire(1);
        FutureWaiter future = (FutureWaiter) turns.acquireAsync(1, simulation.scheduler);
        readers.clear();

        whenRead = () -> {
            future.run();
            assertThat(readers).hasSize(1);
        };
        turns.recheck();
        simulation.settle();

        assertThat(readers).hasSize(2); // one after the other
        assertThat(future).isNotDone();
        simulation.advance(11);
        assertGranted(future);
    }

    /** {@code get} with a time-out does not leave the line. Nor do others that give up without completing the future. */
    @Test
    void acquireAsync_getTimesOut_staysInLine() throws Exception {
        turns.acquire(1);
        CompletableFuture<Reservation> turn = turns.acquireAsync(1, simulation.scheduler);
        CompletableFuture<Void> sent = turn.thenAccept(granted -> {});

        assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> turn.get(0, TimeUnit.NANOSECONDS));
        assertThat(sent.cancel(true)).isTrue();

        assertThat(turns.waiting()).isEqualTo(1);
        simulation.advance(11);
        assertGranted(turn); // for nobody
    }

    /** Whoever wants all permits at once waits for ever beside lines that want one each, but not in one line with them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void acquire_heavyBesideLight_needsOneLine(boolean isOneLine) {
        SlidingWindowLimiter service = Limiters.of(2, 10);
        BlockingLimiter all = over(service);
        for (int client = 0; client < 2; client++) { // whose permits come back at different times
            againAndAgain(isOneLine ? all : over(service), 50);
            simulation.advance(5);
        }

        Simulated<Reservation> heavy = simulation.start(() -> all.acquire(2));
        simulation.advance(400);

        assertThat(heavy.isDone()).isEqualTo(isOneLine);
    }

    private void againAndAgain(BlockingLimiter line, int times) {
        Simulated<Boolean> unused = simulation.start(() -> {
            for (int i = 0; i < times; i++) {
                line.acquire(1);
                simulation.park(this, 1); // the permit is used
            }
            return true;
        });
    }

    @Test
    void recheck_often_schedulesOneTask() throws InterruptedException {
        turns.acquire(1);
        CompletableFuture<Reservation> future = turns.acquireAsync(1, simulation.scheduler);

        for (int i = 0; i < 1_000; i++) {
            turns.recheck();
        }

        assertThat(simulation.scheduler.size()).isEqualTo(2); // and the timer
        simulation.advance(11);
        assertGranted(future);
    }

    /** Such a scheduler may call a future while it is asking for itself, and one while another one leaves. */
    @Test
    void cancel_schedulerRunsTasksInItsCaller_servesAll() throws InterruptedException {
        ScheduledThreadPoolExecutor direct = new ScheduledThreadPoolExecutor(1) {
            @Override
            public void execute(Runnable task) {
                task.run();
            }
        };
        SlidingWindowLimiter limiter = Limiters.of(3, 1L << 50); // days, so that no timer ends on its thread
        BlockingLimiter turns = over(limiter);
        Reservation own = turns.acquire(3);
        List<CompletableFuture<Reservation>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(turns.acquireAsync(1, direct));
        }
        whenRead = turns::recheck; // while the first one asks

        assertThat(own.cancel()).isTrue();

        assertThat(direct.shutdownNow()).isEmpty(); // nor is there a timer any more
        assertThat(futures).allSatisfy(BlockingLimiterTest::assertGranted);
        assertThat(limiter.available(simulation.now())).isZero();
        assertThat(turns.waiting()).isZero();
    }

    /** Such a function may wait for a thread that completes the future, or asks whether it is done. */
    @Test
    void acquireAsync_functionForLimits_runsWithoutTheMonitorOfTheFuture() throws InterruptedException {
        AtomicReference<Object> future = new AtomicReference<>(this);
        List<Boolean> held = new ArrayList<>();
        KeyedLimiter<String> keys = KeyedLimiter.of(key -> {
            held.add(Thread.holdsLock(future.get()));
            return List.of(Limit.of(1, nanos(10)));
        });
        BlockingLimiter turns = over(keys.forKey("a"));
        turns.acquire(1);
        future.set(turns.acquireAsync(1, simulation.scheduler));

        keys.clear();
        turns.recheck();
        simulation.settle();

        assertThat(future.get()).isInstanceOfSatisfying(CompletableFuture.class, BlockingLimiterTest::assertDone);
        assertThat(held).containsExactly(false, false);
    }

    private static void assertDone(CompletableFuture<?> future) {
        assertThat(future).isDone();
    }

    @Test
    void toString_namesTheLimiterAndHowManyWait() throws InterruptedException {
        turns.acquire(1);
        Simulated<Reservation> unused = simulation.start(() -> turns.acquire(1));

        assertThat(turns).hasToString("BlockingLimiter[limiter=" + limiter + ", waiting=1]");
    }
}
