package io.github.hotpath.examples.article;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** A version of the program, each with one change to the one before. */
public enum Stage {
    ORIGINAL(CountEvents::original),
    TRIMMED(CountEvents::trimmed),
    CHECKED(CountEvents::checked),
    /** With this library. */
    HOTPATH(CountEvents::hotpath);

    private final Supplier<Turn> turns;

    Stage(Supplier<Turn> turns) {
        this.turns = turns;
    }

    /** Returns the stage of that {@link #toString}. */
    public static Stage named(String name) {
        return Arrays.stream(values())
                .filter(stage -> stage.toString().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "stage: " + name + " (expected: one of " + Arrays.toString(values()) + ")"));
    }

    /** Returns the turns of a new run. */
    public Turn turn() {
        return turns.get();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The body of the loop. */
    public interface Turn {
        /** Counts an event at {@code nanos}, ensures {@code dir}, and returns the events of the last 100 ms. */
        long take(long nanos, Path dir) throws IOException;
    }
}
