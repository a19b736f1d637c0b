package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.examples.fleet.FleetClock.Stamp;
import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import io.github.hotpath.limit.Limit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetMachineTest {
    private static final LimitSet TWO = new LimitSet("two", List.of(Limit.of(2, Duration.ofNanos(10))));

    private final FleetMachine machine = machine(1);

    private static FleetMachine machine(int newestFormat) {
        return new FleetMachine(new FleetClock(() -> 0), newestFormat, new FleetLog("test"));
    }

    private static byte[] entry(Stamp stamp, byte[] request) {
        return ByteBuffer.allocate(16 + request.length)
                .putLong(stamp.term())
                .putLong(stamp.time())
                .put(request)
                .array();
    }

    private static byte[] request(String key, int permits) {
        return FleetMachine.request(1, List.of(Attempts.write(List.of(new Request(TWO, key, permits)))));
    }

    private static Outcome apply(FleetMachine machine, long term, long index, Stamp stamp) throws IOException {
        return machine.apply(term, index, entry(stamp, request("a", 1))).get(0);
    }

    private long[] apply(long term, long index, long time) throws IOException {
        return apply(machine, term, index, new Stamp(term, time)).delays();
    }

    private static void raise(FleetMachine machine, long index, int format) throws IOException {
        machine.apply(1, index, entry(new Stamp(1, 0), FleetMachine.request(format, List.of())));
    }

    /** Every member comes to this, whatever its own clock says: here it stands still. */
    @Test
    void apply_entries_areAtTheTimeOfTheLeader() throws IOException {
        raise(machine, 0, 1);
        assertThat(apply(1, 1, 100)).containsExactly(0);
        assertThat(apply(1, 2, 103)).containsExactly(0);
        assertThat(apply(1, 3, 105)).containsExactly(6);
        assertThat(apply(1, 4, 111)).containsExactly(0);
        assertThat(apply(1, 5, 90)).containsExactly(3); // evaluated at 111
    }

    /** Of members that may have read different formats: each gets its own outcome, in the order of the requests. */
    @Test
    void apply_severalRequestsInAnEntry_eachHasItsOutcome() throws IOException {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        requests.write(request("a", 1));
        requests.write(FleetMachine.request(1, List.of()));
        byte[] b = Attempts.write(List.of(new Request(TWO, "b", 2)));
        requests.write(FleetMachine.request(1, List.of(b, b)));
        requests.write(request("a", 2));

        List<Outcome> outcomes = machine.apply(1, 0, entry(new Stamp(1, 100), requests.toByteArray()));

        ByteBuffer answer = Outcome.toMessage(outcomes).getContent().asReadOnlyByteBuffer();
        List<long[]> delays = new ArrayList<>();
        while (answer.hasRemaining()) {
            delays.add(Outcome.readFrom(answer).delays());
        }
        assertThat(delays).hasSize(4);
        assertThat(delays.get(0)).isEmpty(); // before the format
        assertThat(delays.get(1)).isEmpty();
        assertThat(delays.get(2)).containsExactly(0, 11);
        assertThat(delays.get(3)).containsExactly(0);
    }

    /** As if the leader had waited between the stamp and the log, while others led. */
    @Test
    void apply_stampOfAnotherTerm_changesNothing() throws IOException {
        raise(machine, 0, 1);
        apply(3, 1, 100);

        assertThat(apply(machine, 3, 2, new Stamp(1, 900)).delays()).isEmpty();
        assertThat(machine.clock().time()).isEqualTo(100);
        assertThat(apply(3, 3, 101)).containsExactly(0);
        assertThat(apply(3, 4, 102)).containsExactly(9);
    }

    /** Some of its members may not have the beginning of the log yet. */
    @Test
    void apply_groupIsNotComplete_grantsNothing() throws IOException {
        assertThat(apply(1, 1, 100)).isEmpty();
        raise(machine, 2, 1);
        assertThat(apply(1, 3, 100)).containsExactly(0);
        assertThat(apply(1, 4, 100)).containsExactly(0);
        assertThat(apply(1, 5, 100)).containsExactly(11);
    }

    /** To go on would be another state than that of the others. */
    @Test
    void apply_newerFormat_isRefusedByAnOlderProgram() throws IOException {
        FleetMachine newer = machine(2);
        raise(newer, 0, 1);
        raise(newer, 1, 2);
        raise(newer, 2, 1); // it never goes back
        assertThat(apply(newer, 1, 3, new Stamp(1, 5))).satisfies(outcome -> {
            assertThat(outcome.format()).isEqualTo(2);
            assertThat(outcome.delays()).containsExactly(0); // of a member that does not know it yet
        });

        raise(machine, 0, 1);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> raise(machine, 1, 2))
                .withMessage("format of the fleet: 2 (expected: at most 1, by this program)");
    }
}
