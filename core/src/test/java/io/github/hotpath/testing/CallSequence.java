package io.github.hotpath.testing;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Random calls, made one after the other on something new. If one goes wrong, the message has those without which none
 * would, and is at most a screen.
 *
 * @param setting what precedes them, as code
 * @param calls all of them; each reads as what it calls
 * @param check makes some of the calls, from the beginning, and throws if a result is wrong
 */
public record CallSequence<C>(String setting, List<C> calls, Check<C> check) {
    /** Makes calls, and throws if a result is wrong. */
    public interface Check<C> {
        /** Makes {@code calls} on something new. */
        void run(List<C> calls) throws Exception;
    }

    /** The most calls that are shown. */
    private static final int MOST_CALLS = 20;

    /** The most lines of the failure itself; AssertJ shows a thousand elements of an array, each on a line. */
    private static final int MOST_LINES = 12;

    private static final int MOST_CHARACTERS = 200;

    /** The most calls that are made to find those that are needed: some seconds, where each is compared with a model. */
    private static final long MOST_REPEATED = 500_000;

    /** Makes all calls; {@code hint} tells how to see a failure again. */
    public void run(String hint) {
        Throwable failure = failure(calls);
        if (failure != null) {
            List<C> needed = needed();
            Throwable last = Objects.requireNonNullElse(failure(needed), failure);
            AssertionError error = new AssertionError(report(hint, needed, last));
            error.setStackTrace(last.getStackTrace()); // it is not the cause: its own message may be of any length
            throw error;
        }
    }

    private Throwable failure(List<C> some) {
        try {
            check.run(some);
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }

    /** Returns the calls without those that can be left out: of many at once, then of fewer, the last ones first. */
    private List<C> needed() {
        List<C> needed = calls;
        long repeated = 0;
        for (int length = needed.size() / 2; length > 0; length /= 2) {
            for (int end = needed.size(); end > 0 && repeated < MOST_REPEATED; end -= length) {
                List<C> rest = new ArrayList<>(needed);
                rest.subList(Math.max(0, end - length), end).clear();
                repeated += rest.size();
                needed = failure(rest) != null ? rest : needed;
            }
        }
        return needed;
    }

    private String report(String hint, List<C> needed, Throwable failure) {
        return """
                %s; of %d calls these %d do it:
                %s
                %s
                then: %s""".formatted(
                        hint,
                        calls.size(),
                        needed.size(),
                        ends(Splitter.fixedLength(MOST_CHARACTERS).splitToList(setting), MOST_LINES / 2),
                        ends(needed.stream().map(Object::toString).toList(), MOST_CALLS),
                        ends(failure.toString().lines().toList(), MOST_LINES));
    }

    /** Returns the first and the last lines, each cut. */
    private static String ends(List<String> lines, int most) {
        List<String> shown = new ArrayList<>(lines);
        if (lines.size() > most) {
            List<String> between = shown.subList(most / 2, lines.size() - most / 2);
            between.clear();
            between.add("... and " + (lines.size() - most) + " more lines ...");
        }
        return shown.stream().map(CallSequence::cut).collect(Collectors.joining("\n"));
    }

    /** Returns what fits in a line. */
    static String cut(Object text) {
        String line = text.toString();
        return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS - 4) + " ...";
    }
}
