package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnCounterTest {
    private final List<String> remarks = new ArrayList<>();

    @Test
    void perTurn_canBeHad_noRemark() throws InterruptedException {
        TurnCounter counter = Stage::toString;

        assertThat(counter.perTurn(Stage.TRIMMED, remarks::add)).isEqualTo("trimmed");
        assertThat(remarks).isEmpty();
    }

    @Test
    void perTurn_cannotBeHad_dashAndLine() throws InterruptedException {
        TurnCounter counter = new TurnCounter() {
            @Override
            public String perTurn(Stage stage) throws IOException {
                throw new IOException("no rights");
            }

            @Override
            public String toString() {
                return "wonders per turn";
            }
        };

        assertThat(counter.perTurn(Stage.TRIMMED, remarks::add)).isEqualTo("-");
        assertThat(remarks).containsExactly("Cannot count wonders per turn: no rights.");
    }
}
