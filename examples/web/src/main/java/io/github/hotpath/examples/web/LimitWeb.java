package io.github.hotpath.examples.web;

import io.github.hotpath.examples.Program;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.logging.LogManager;

/**
 * Shows limits in front of a server: real clients of an embedded Tomcat and of a server of gRPC, what each of them is
 * answered, and the meters. Then the throughput of Tomcat with the filters and without.
 *
 * <pre>mvn -q compile exec:java -pl examples/web -am</pre>
 *
 * <p>The exit status is 0, or 1 if a client was answered otherwise than it should be.
 */
public final class LimitWeb {
    private LimitWeb() {}

    /** Runs the program, and ends the JVM if it fails. */
    public static void main(String[] args) throws InterruptedException {
        LogManager.getLogManager().reset(); // Tomcat logs that it starts and stops
        boolean[] isRight = new boolean[1];
        int status = new Program("LimitWeb", "", System.err).run(() -> isRight[0] = run(System.out));
        Program.exit(status == 0 && !isRight[0] ? 1 : status);
    }

    private static boolean run(PrintStream out) throws IOException, InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<Tally> tallies = new Show(registry).run();
        out.println(Tally.HEADING);
        tallies.forEach(out::println);
        out.println();
        out.println(registry.getMetersAsString());
        new Throughput().measure().forEach(out::println);
        return tallies.stream().allMatch(Tally::isRight);
    }
}
