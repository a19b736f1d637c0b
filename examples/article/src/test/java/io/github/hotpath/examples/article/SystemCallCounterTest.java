package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCallCounterTest {
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

    @Test
    void perTurn_summary_callsOfEachTurnByName() throws IOException {
        assertThat(SystemCallCounter.perTurn(SUMMARY.lines().toList(), 20_000)).isEqualTo("mkdir 1.0, statx 1.0");
        assertThat(SystemCallCounter.perTurn(SUMMARY.lines().toList(), 40_001)).isEqualTo("mkdir 0.5");
    }

    @Test
    void perTurn_noSummary_cannotBeHad() {
        assertThatIOException()
                .isThrownBy(() -> SystemCallCounter.perTurn(List.of("strace: nothing"), 20_000))
                .withMessage("strace counted no call that is made turn by turn");
    }
}
