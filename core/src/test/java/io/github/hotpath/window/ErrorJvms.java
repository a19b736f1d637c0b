package io.github.hotpath.window;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs of an {@link ErrorProgram} in JVMs of their own, of the JDK of the tests, two at a time. */
public final class ErrorJvms implements AutoCloseable {
    /**
     * How to run a program.
     *
     * @param least the errors that there are at least in each round
     * @param arguments of the program, the number of rounds the last of them
     */
    public record Run(String option, int least, List<String> arguments) {
        public static Run of(String option, int least, String... arguments) {
            return new Run(option, least, List.of(arguments));
        }

        /** Returns the fewest errors with which the run has had what it is for. */
        public int leastErrors() {
            return least * Integer.parseInt(arguments.get(arguments.size() - 1));
        }

        @Override
        public String toString() {
            return option + " " + String.join(" ", arguments);
        }

        private List<String> options() {
            List<String> options = new ArrayList<>(List.of(option, Seed.option()));
            if (arguments.contains("memory")) {
                options.addAll(List.of("-Xms10m", "-Xmx10m", "-XX:+UseSerialGC"));
            }
            return options;
        }
    }

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Map<Run, Future<Integer>> errors = new LinkedHashMap<>();

    /** Starts the runs of the program, which may use the classes beside {@code subject}, of main and of the tests. */
    public ErrorJvms(Path temp, Class<?> subject, Class<?> program, Collection<Run> runs) throws IOException {
        ChildJvm jvm = new ChildJvm(temp, subject, program, Arguments.class, ErrorProgram.class);
        for (Run run : runs) {
            errors.put(run, threads.submit(() -> errors(jvm, program, run)));
        }
    }

    private static int errors(ChildJvm jvm, Class<?> program, Run run) throws IOException, InterruptedException {
        return Integer.parseInt(jvm.run(program, run.options(), run.arguments.toArray(String[]::new))
                .get(0));
    }

    /** Waits for a run, which ends well only if what it calls stays right, and returns how many errors there were. */
    public int errorsOf(Run run) throws InterruptedException, ExecutionException {
        return errors.get(run).get();
    }

    /** Ends the runs that have not been waited for. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
