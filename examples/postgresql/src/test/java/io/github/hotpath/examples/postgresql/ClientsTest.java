package io.github.hotpath.examples.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.postgresql.Clients.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** If this is wrong, no run proves anything. */
class ClientsTest {
    @Test
    void mostWithin_closedAtBothEnds_countsWhatIsCertain() {
        List<Grant> grants = List.of(new Grant(0, 9, 11), new Grant(0, 0, 1), new Grant(0, 0, 3), new Grant(0, 5, 10));

        assertThat(Clients.mostWithin(Duration.ofNanos(2), grants)).isEqualTo(1);
        assertThat(Clients.mostWithin(Duration.ofNanos(3), grants)).isEqualTo(2);
        assertThat(Clients.mostWithin(Duration.ofNanos(9), grants)).isEqualTo(2);
        assertThat(Clients.mostWithin(Duration.ofNanos(10), grants)).isEqualTo(3);
        assertThat(Clients.mostWithin(Duration.ofNanos(11), grants)).isEqualTo(4);
    }

    @Test
    void mostWithin_severalKeys_isOfOne() {
        List<Grant> grants = List.of(new Grant(8, 0, 1), new Grant(2, 0, 1), new Grant(2, 1, 2));

        assertThat(Clients.mostWithin(Duration.ofNanos(10), grants)).isEqualTo(2);
        assertThat(Clients.mostWithin(Duration.ofNanos(10), List.of())).isZero();
    }
}
