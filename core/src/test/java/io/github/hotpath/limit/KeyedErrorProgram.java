package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorSource;

/** The {@link ErrorProgram} of {@link KeyedLimiter}. */
final class KeyedErrorProgram {
    private KeyedErrorProgram() {}

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram program = new ErrorProgram("keyed errors", arguments[0], arguments[1]);
        KeyedErrorCalls calls = new KeyedErrorCalls(program.random().nextLong());
        program.run("keys", new ErrorSource[] {calls}, round -> {
            if (round == ErrorProgram.BEFORE) {
                calls.begin(round);
                while (calls.hasRoom()) {
                    calls.make(); // so that every class is there, and every call site linked, before the first error
                }
            }
            calls.check(round);
            calls.begin(round + 1);
        });
        program.end();
    }
}
