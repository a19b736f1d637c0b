package io.github.hotpath.limit;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Threads that acquire permits of the same limiters and keys, which each of them names in every order; and an account
 * of what must count in the end. Ends the JVM with a status other than 0 if that is wrong, and if the threads do not
 * end.
 */
final class JointOrdersProgram {
    private static final long PERMITS = 1L << 40;
    private static final Limit LIMIT = Limit.of(PERMITS, Duration.ofDays(1));
    private static final int SINGLES = 3;
    private static final int KEYS = 3;
    private static final int THREADS = 4;

    private final List<SlidingWindowLimiter> singles = IntStream.range(0, SINGLES)
            .mapToObj(any -> SlidingWindowLimiter.of(LIMIT))
            .toList();

    private final KeyedLimiter<Integer> keyed = KeyedLimiter.of(LIMIT);
    private final AtomicLongArray expected = new AtomicLongArray(SINGLES + KEYS);

    private JointOrdersProgram() {}

    /** Takes the number of calls of each thread, and prints whether all identity hash codes are equal. */
    public static void main(String[] arguments) {
        Watchdog.run(() -> run(Integer.parseInt(arguments[0])), "named in every order");
        Object one = new Object();
        Object another = new Object();
        System.out.println(System.identityHashCode(one) == System.identityHashCode(another));
    }

    /** Makes the calls, and throws if what counts in the end is not what was acquired. */
    static void run(int calls) {
        JointOrdersProgram program = new JointOrdersProgram();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = Seed.random("orders " + i);
            Thread thread = new Thread(() -> IntStream.range(0, calls).forEach(call -> program.call(random)));
            thread.setUncaughtExceptionHandler((any, e) -> thrown.add(e));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        threads.forEach(JointOrdersProgram::join);
        if (!thrown.isEmpty()) {
            throw new AssertionError(Seed.hint(), thrown.get(0));
        }
        program.check();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void call(SplittableRandom random) {
        int[] named = random.ints(1 + random.nextInt(5), 0, SINGLES + KEYS).toArray();
        Limiter limiter =
                Limiter.allOf(IntStream.of(named).mapToObj(this::limiter).toList());
        int permits = 1 + random.nextInt(3);
        long counted = acquired(limiter, permits, random.nextInt(8));
        IntStream.of(named).distinct().forEach(each -> expected.addAndGet(each, counted));
        if (random.nextInt(50) == 0) {
            keyed.evictIdle(0);
        }
    }

    private Limiter limiter(int index) {
        return index < SINGLES ? singles.get(index) : keyed.forKey(index);
    }

    /** Makes a call, and returns how many permits it has acquired. */
    private static long acquired(Limiter limiter, int permits, int kind) {
        switch (kind) {
            case 0 -> limiter.record(0, permits);
            case 1 -> checkGranted(limiter.decide(0, permits).isGranted());
            case 2 -> checkGranted(limiter.tryAcquireOrDelay(0, permits) == 0);
            case 3 -> checkGranted(limiter.reserve(0, 7, Duration.ZERO).adjustTo(permits));
            case 4 -> {
                checkGranted(limiter.reserve(0, permits, Duration.ZERO).cancel());
                return 0;
            }
            case 5 -> {
                checkGranted(limiter.peek(0, permits).isGranted() && limiter.available(0) > 0);
                return 0;
            }
            default -> checkGranted(limiter.tryAcquire(0, permits));
        }
        return permits;
    }

    private static void checkGranted(boolean granted) {
        if (!granted) {
            throw new AssertionError("refused");
        }
    }

    private void check() {
        singles.forEach(Invariants::check);
        Invariants.check(keyed);
        for (int i = 0; i < expected.length(); i++) {
            long counts = PERMITS - limiter(i).available(0);
            if (counts != expected.get(i)) {
                throw new AssertionError(i + " counts " + counts + ", not " + expected.get(i) + ", " + Seed.hint());
            }
        }
    }
}
