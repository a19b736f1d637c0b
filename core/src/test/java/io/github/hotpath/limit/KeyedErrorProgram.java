package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorSource;
import io.github.hotpath.window.MemoryShortage;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.StackDiver;
import io.github.hotpath.window.Watchdog;
import java.util.SplittableRandom;

/**
 * Calls a keyed limiter while the stack overflows, or while there is hardly any memory, and checks each time afterwards
 * whether the limiter is still right. Ends with a status other than 0 if not, and if a call does not return.
 */
final class KeyedErrorProgram {
    private KeyedErrorProgram() {}

    /** Takes {@code stack} or {@code memory}, and the number of rounds. Prints how many errors there were. */
    public static void main(String[] arguments) {
        SplittableRandom random = Seed.random("keyed errors");
        KeyedErrorCalls calls = new KeyedErrorCalls(random);
        ErrorSource[] all = {calls};
        MemoryShortage shortage = new MemoryShortage(random);
        calls.begin(0);
        while (calls.hasRoom()) {
            calls.make(); // so that every class is there, and every call site linked, before the first error
        }
        Watchdog.run(() -> calls.check(0), "before");
        int errors = 0;
        for (int i = 1; i <= Integer.parseInt(arguments[1]); i++) {
            int round = i;
            calls.begin(round);
            String doing = arguments[0] + ", round " + round;
            errors += arguments[0].equals("memory")
                    ? shortage.runOut(all, doing)
                    : StackDiver.overflow(all, random, doing);
            Watchdog.run(() -> calls.check(round), doing);
        }
        System.out.println(errors);
    }
}
