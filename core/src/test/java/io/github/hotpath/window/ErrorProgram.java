package io.github.hotpath.window;

import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * A program that makes calls while the stack overflows, or while there is hardly any memory, and checks after each
 * round of them whether what was called is still right. Ends the JVM with a status other than 0 if not, and if a call
 * does not return.
 */
public final class ErrorProgram {
    /** The round before the first one. */
    public static final int BEFORE = -1;

    private interface Trouble {
        int make(ErrorSource[] all, String doing);
    }

    private final SplittableRandom random;
    private final boolean shortOfMemory;
    private final Trouble trouble;
    private final int rounds;
    private int errors;

    /** Takes {@code stack} or {@code memory}, and the number of rounds in each situation. */
    public ErrorProgram(String name, String trouble, String rounds) {
        this.random = Seed.random(name);
        this.shortOfMemory = trouble.equals("memory");
        this.trouble = shortOfMemory
                ? new MemoryShortage(random)::runOut
                : (all, doing) -> StackDiver.overflow(all, random, doing);
        this.rounds = Integer.parseInt(rounds);
    }

    public SplittableRandom random() {
        return random;
    }

    public boolean isShortOfMemory() {
        return shortOfMemory;
    }

    /** Makes the rounds in one situation, each followed by {@code audit}, which is called with its number. */
    public void run(String situation, ErrorSource[] all, IntConsumer audit) {
        Watchdog.run(() -> audit.accept(BEFORE), "before: " + situation);
        for (int i = 0; i < rounds; i++) {
            int round = i;
            String doing = situation + ", round " + round;
            errors += trouble.make(all, doing);
            Watchdog.run(() -> audit.accept(round), "audit: " + doing);
        }
    }

    /** Prints how many calls have thrown: the last that a program does. */
    public void end() {
        System.out.println(errors);
    }
}
