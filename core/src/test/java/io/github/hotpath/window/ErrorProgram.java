package io.github.hotpath.window;

import io.github.hotpath.limit.BlockingErrors;
import io.github.hotpath.limit.LimiterErrors;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.Watchdog;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that makes calls while the stack overflows, or while there is hardly any memory, and checks after each
 * round of them whether what was called is still right. Ends the JVM with a status other than 0 if not, and if a call
 * does not return.
 */
public final class ErrorProgram {
    /** The round before the first one. */
    public static final int BEFORE = -1;

    private final SplittableRandom random;
    private final @Nullable MemoryShortage shortage;
    private final int rounds;
    private int errors;

    private ErrorProgram(String name, String trouble, String rounds) {
        this.random = Seed.random(name + " errors");
        this.shortage = trouble.equals("memory") ? new MemoryShortage(random) : null;
        this.rounds = Integer.parseInt(rounds);
    }

    /**
     * Takes what is called, {@code stack} or {@code memory}, and the number of rounds in each situation. Prints how
     * many calls have thrown.
     */
    public static void main(String[] arguments) {
        String called = arguments[0];
        ErrorProgram program = new ErrorProgram(called, arguments[1], arguments[2]);
        switch (called) {
            case "EventWindow" -> WindowErrors.run(program, AnyWindow.Kind.EXACT);
            case "ConcurrentEventWindow" -> WindowErrors.run(program, AnyWindow.Kind.CONCURRENT);
            case "BlockingLimiter" -> BlockingErrors.run(program);
            default -> LimiterErrors.run(program, called);
        }
        System.out.println(program.errors);
    }

    /** Returns the calls of so many threads, each with a seed of its own. */
    public <C extends ErrorCalls> C[] calls(int threads, LongFunction<C> withSeed, IntFunction<C[]> array) {
        return Stream.generate(() -> withSeed.apply(random.nextLong()))
                .limit(threads)
                .toArray(array);
    }

    SplittableRandom random() {
        return random;
    }

    boolean isShortOfMemory() {
        return shortage != null;
    }

    /** Makes the rounds in one situation, each followed by {@code audit}, which is called with its number. */
    public void run(String situation, ErrorCalls[] all, IntConsumer audit) {
        Watchdog.run(() -> audit.accept(BEFORE), "before: " + situation);
        for (int i = 0; i < rounds; i++) {
            int round = i;
            String doing = situation + ", round " + round;
            errors += shortage == null ? StackDiver.overflow(all, random, doing) : shortage.runOut(all, doing);
            Watchdog.run(() -> audit.accept(round), "audit: " + doing);
        }
    }
}
