package io.github.hotpath.limit;

import io.github.hotpath.window.ErrorProgram;
import io.github.hotpath.window.ErrorSource;

/** The {@link ErrorProgram} of several limiters together. */
final class JointErrorProgram {
    private JointErrorProgram() {}

    /** Takes what {@link ErrorProgram} does. */
    public static void main(String[] arguments) {
        ErrorProgram program = new ErrorProgram("joint errors", arguments[0], arguments[1]);
        JointErrorCalls calls = new JointErrorCalls(program.random().nextLong());
        program.run("together", new ErrorSource[] {calls}, round -> {
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
