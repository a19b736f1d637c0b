package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Test;

class FleetMachineTest {
    private static final LimitSet TWO = new LimitSet("two", List.of(Limit.of(2, Duration.ofNanos(10))));

    private final FleetMachine machine = new FleetMachine(new FleetClock(() -> 0, () -> 0, 0));

    private static byte[] entry(Stamp stamp, long number) {
        Attempts batch = new Attempts(new UUID(1, 2), number, List.of(), List.of(List.of(new Request(TWO, "a", 1))));
        return FleetMachine.entry(stamp, List.of(batch.toBytes()));
    }

    private long[] apply(long term, long index, Stamp stamp, long number) throws IOException {
        byte[] outcome = machine.apply(term, index, entry(stamp, number));
        return outcome.length == 0 ? new long[0] : Answer.delays(outcome, 1);
    }

    /** Every member comes to this, whatever its own clock says: here it stands still. */
    @Test
    void apply_entries_areAtTheTimeOfTheLeader() throws IOException {
        assertThat(apply(1, 1, new Stamp(1, 100, 0), 1)).containsExactly(0);
        assertThat(apply(1, 2, new Stamp(1, 103, 0), 2)).containsExactly(0);
        assertThat(apply(1, 3, new Stamp(1, 105, 0), 3)).containsExactly(6);
        assertThat(apply(1, 4, new Stamp(1, 111, 0), 4)).containsExactly(0);
        assertThat(apply(1, 5, new Stamp(1, 90, 0), 5)).containsExactly(3); // evaluated at 111
    }

    /** Of these alone, the wall clocks tell how old they are: one of 100 was written when a clock showed 30. */
    @Test
    void apply_entryOfBeforeTheStart_isOld() throws IOException {
        for (long lastAtStart : new long[] {4, 5, 6}) {
            FleetMachine started = new FleetMachine(new FleetClock(() -> 0, () -> 1_030, 0));
            started.startsAfter(TermIndex.valueOf(3, lastAtStart));
            started.apply(3, 5, entry(new Stamp(3, 100, 30), 1));
            started.clock().begin(4);

            assertThat(started.clock().stamp().time())
                    .as("last at start: %d", lastAtStart)
                    .isEqualTo(lastAtStart < 5 ? 100 : 1_100);
        }
        FleetMachine starting = new FleetMachine(new FleetClock(() -> 0, () -> 1_030, 0));
        starting.apply(3, 5, entry(new Stamp(3, 100, 30), 1));
        starting.clock().begin(4);
        assertThat(starting.clock().stamp().time()).isEqualTo(1_100);
    }

    /** As if the leader had waited between the stamp and the log, while others led. */
    @Test
    void apply_stampOfAnotherTerm_changesNothing() throws IOException {
        apply(3, 1, new Stamp(3, 100, 0), 1);

        assertThat(apply(3, 2, new Stamp(1, 900, 0), 2)).isEmpty();
        assertThat(machine.clock().last().time()).isEqualTo(100);
        assertThat(apply(3, 3, new Stamp(3, 101, 0), 2)).containsExactly(0);
        assertThat(apply(3, 4, new Stamp(3, 102, 0), 3)).containsExactly(9);
    }
}
