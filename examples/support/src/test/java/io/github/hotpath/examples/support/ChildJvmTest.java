package io.github.hotpath.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Dgreeting=hello");

    @Test
    void tell_program_answersAndIsKilled() throws IOException, InterruptedException {
        ChildJvm child = ChildJvm.start(ChildJvm.command(OPTIONS, Echo.class, "to", 1));
        try (child) {
            assertThat(child.answer(PATIENCE)).isEqualTo("hello to 1");
            assertThat(ProcessHandle.current().children()).isNotEmpty();
            child.tell("again");
            assertThat(child.answer(PATIENCE)).isEqualTo("again");
            assertThatIOException()
                    .isThrownBy(() -> child.answer(Duration.ZERO))
                    .withMessageContaining("no answer within PT0S");
        }

        assertThat(ProcessHandle.current().children()).isEmpty();
        for (int i = 0; i < 2; i++) {
            assertThatIOException().isThrownBy(() -> child.answer(PATIENCE)).withMessageContaining("has ended");
        }
    }

    @Test
    void run_status_returnsWhatWasPrintedOrThrows() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();

        assertThat(ChildJvm.run(ChildJvm.command(OPTIONS, Exit.class, 0), lines::add))
                .isEqualTo("status 0\nends");
        assertThat(lines).containsExactly("status 0", "ends");
        assertThatIOException()
                .isThrownBy(() -> ChildJvm.run(ChildJvm.command(OPTIONS, Exit.class, 3), line -> {}))
                .withMessageEndingWith("exit status 3\nstatus 3\nends");
    }

    /** Greets, and repeats each line. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] args) throws IOException {
            System.out.println(System.getProperty("greeting") + " " + String.join(" ", args));
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
            }
        }
    }

    /** Prints and ends with a status. */
    static final class Exit {
        private Exit() {}

        public static void main(String[] args) {
            System.out.println("status " + args[0]);
            System.err.println("ends");
            System.exit(Integer.parseInt(args[0]));
        }
    }
}
