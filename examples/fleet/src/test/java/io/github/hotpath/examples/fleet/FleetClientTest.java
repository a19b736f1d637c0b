package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("fleet")
@Timeout(600)
class FleetClientTest {
    /** A fleet may be without a leader for long, and have many clients, each connection with a handshake of TLS. */
    @Test
    void send_nobodyLeads_makesFewConnections() throws Exception {
        List<String> addresses = Fleet.freeAddresses(3);
        AtomicInteger asked = new AtomicInteger();
        Outcome made = new Outcome(1, new long[] {7});
        try (FakeMember follower = new FakeMember(addresses.get(0), () -> Outcome.NONE);
                FakeMember failing = new FakeMember(addresses.get(1), () -> null);
                FakeMember elected =
                        new FakeMember(addresses.get(2), () -> asked.incrementAndGet() < 10 ? Outcome.NONE : made)) {
            FleetMembers members =
                    FleetMembers.of("test", addresses.toArray(String[]::new)).withSilence(Duration.ofHours(1));
            try (FleetClient client = new FleetClient(members, Duration.ofMinutes(1))) {
                assertThat(client.send(new byte[] {1}, Long.MAX_VALUE).delays()).containsExactly(7);
            }
            assertThat(follower.questions()).isGreaterThan(1);
            assertThat(follower.connections()).isEqualTo(1);
            assertThat(elected.connections()).isEqualTo(1);
            assertThat(failing.connections()).isLessThan(3); // one more at once, and the next one after a silence
        }
    }
}
