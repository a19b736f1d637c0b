package io.github.hotpath.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class ProgramTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Program program = new Program("Show", "[N]", new PrintStream(err, true));

    @Test
    void run_success_status0AndNoLine() throws InterruptedException {
        assertThat(program.run(() -> {})).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void run_wrongArgument_status2AndUsage() throws InterruptedException {
        assertThat(program.run(() -> Argument.of("a\nb\u0000").number(1, 2))).isEqualTo(2);
        assertThat(err).hasToString(line("Show: 'a?b?': not a whole number from 1 to 2; usage: Show [N]"));
    }

    @Test
    void run_failure_status1AndMessage() throws InterruptedException {
        assertThat(program.run(() -> {
                    throw new IOException("disk full");
                }))
                .isEqualTo(1);
        assertThat(err).hasToString(line("Show: disk full"));
    }

    @Test
    void run_uncheckedFailureOfFileSystem_status1AndMessageWithType() throws InterruptedException {
        assertThat(program.run(() -> {
                    throw new UncheckedIOException(new NoSuchFileException("x"));
                }))
                .isEqualTo(1);
        assertThat(err).hasToString(line("Show: java.nio.file.NoSuchFileException: x"));
    }

    @Test
    void run_bugOrInterrupt_propagates() {
        assertThatIllegalStateException()
                .isThrownBy(() -> program.run(() -> {
                    throw new IllegalStateException();
                }));
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> program.run(() -> {
                    throw new InterruptedException();
                }));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void exit_success_continues() {
        Program.exit(0); // would end this JVM, and the run of the tests
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }
}
