package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.article.Stage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnsTest {
    /** Written by strace 6.1, cut short. */
    private static final String SUMMARY = """
            % time     seconds  usecs/call     calls    errors syscall
            ------ ----------- ----------- --------- --------- ------------------
             96.65   21.759545       12349      1762       335 futex
              1.60    0.360361          18     20000           statx
              1.59    0.357754          17     20001     20001 mkdir
              0.04    0.009917           4      2220           gettid
              0.00    0.000000           0         1           unlink
            ------ ----------- ----------- --------- --------- ------------------
            100.00   22.513486         487     46202     20538 total
            """;

    @TempDir
    private Path dir;

    @Test
    void perTurn_summary_callsOfEachTurnByName() {
        assertThat(Turns.perTurn(SUMMARY, 20_000)).isEqualTo("mkdir 1.0, statx 1.0");
        assertThat(Turns.perTurn(SUMMARY, 40_001)).isEqualTo("mkdir 0.5");
    }

    /** What the page about the article says. */
    @Test
    void exceptions_createDirectories_twoPerTurn() throws Exception {
        assertThat(Turns.exceptions(Stage.TRIMMED, dir)).isEqualTo("2.00");
        assertThat(Turns.exceptions(Stage.HOTPATH, dir)).isEqualTo("0.00");
    }
}
