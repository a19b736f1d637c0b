package io.github.hotpath.examples.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A call with a key of one limiter for many. */
@Warmup(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it takes long until all is compiled
public class KeyBenchmark extends CallBenchmark {
    /** One key of a thousand, all the time. */
    static final String HOT = "one hot key";

    /** A million keys, of which the first has each fourteenth call, the second half as many, and so on. */
    static final String ZIPF = "a million keys by Zipf";

    @Param({
        "the clock alone",
        "SlidingWindowLimiter, for all",
        "KeyedLimiter",
        "Bucket4j in a Caffeine cache",
        "Resilience4j's registry"
    })
    public String limiter;

    @Param({States.FAR, States.AT, States.REFUSED})
    public String state;

    @Param({HOT, ZIPF})
    public String keys;

    private ToLongFunction<String> call;
    private String[] calls;

    @Setup
    public void create() {
        boolean isZipf = keys.equals(ZIPF);
        boolean isAtLimit = state.equals(States.AT);
        States s = limiter.startsWith("Resilience4j") ? States.ofRealClock(state) : States.of(state);
        if (isZipf) { // so long that no key is idle before the measurement ends
            s = new States(s.limit(), Duration.ofMinutes(1), s.clock());
        }
        call = Keys.of(limiter, s, isAtLimit, System::nanoTime);
        String[] names = names(isZipf ? 1_000_000 : 1_000);
        calls = isZipf ? zipf(names) : new String[] {names[0]};
        if (!isAtLimit) {
            Arrays.stream(names).forEach(call::applyAsLong);
        }
        for (int i = 0; isAtLimit && i < 2 * s.limit(); i++) {
            call.applyAsLong(names[0]);
        }
    }

    private static String[] names(int number) {
        String[] names = new String[number];
        Arrays.setAll(names, i -> "client-" + i);
        return names;
    }

    private static String[] zipf(String[] names) {
        double[] sums = new double[names.length];
        double sum = 0;
        for (int i = 0; i < sums.length; i++) {
            sum += 1.0 / (i + 1);
            sums[i] = sum;
        }
        SplittableRandom random = new SplittableRandom(1);
        String[] calls = new String[1 << 20];
        for (int i = 0; i < calls.length; i++) {
            int at = Arrays.binarySearch(sums, random.nextDouble(sum));
            calls[i] = names[at < 0 ? -at - 1 : at];
        }
        return calls;
    }

    @Benchmark
    public long tryAcquire(Turn turn) {
        return call.applyAsLong(calls[turn.next++ & calls.length - 1]);
    }

    /** The next key of a thread; threads begin at different ones. */
    @State(Scope.Thread)
    public static class Turn {
        private int next = (int) Thread.currentThread().getId() * 100_000;
    }
}
