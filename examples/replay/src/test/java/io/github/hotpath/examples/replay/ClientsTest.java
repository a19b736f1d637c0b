package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is retained, and what is not. */
class ClientsTest {
    private static final long SECOND = 1_000_000_000;
    private static final LogClock CLOCK = new LogClock();

    private static Clients clients(int capacity) {
        return new Clients(capacity, 0, 10 * SECOND, earliest -> new Windows(earliest, List.of(), List.of(), CLOCK));
    }

    /** A thousand clients a second, each with one request. */
    @Test
    void get_clientsThatLeave_windowsAreReleased() {
        Clients clients = clients(1_000_000);

        int most = 0;
        for (int i = 0; i < 500_000; i++) {
            clients.get("client " + i, i * SECOND / 1000);
            most = Math.max(most, clients.windows());
        }

        // those of an interval and a minute, and up to as many again
        assertThat(most).isBetween(70_000, 2 * 70_001);
        assertThat(clients.sample()).hasSize(500_000);
        assertThat(clients.weight()).isEqualTo(1);
    }

    @Test
    void get_moreClientsThanRetained_areEstimated() {
        Clients clients = clients(10_000);
        int most = 0;
        for (int i = 0; i < 500_000; i++) {
            clients.get("client " + i, i * SECOND / 1000).requests++;
            most = Math.max(most, clients.retained().size());
        }
        clients.get("the end", 10_000 * SECOND);

        assertThat(most).isLessThan(10_000 + 2 * 70_001);
        assertThat(clients.weight()).isEqualTo(64);
        assertThat(clients.sample()).hasSizeBetween(5_000, 10_000).allMatch(client -> client.requests <= 1);
        double estimate = clients.sample().count() * clients.weight();
        assertThat(estimate).isCloseTo(500_001, within(0.04 * 500_001)); // three standard errors
    }

    /** A client is in the sample from its first request on, so its figures are complete. */
    @Test
    void get_clientsThatComeBack_sampleHasAllOfTheirRequests() {
        Clients clients = clients(100);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 20_000; i++) {
                clients.get("client " + i, (round * 20_000L + i) * SECOND / 100).requests++;
            }
        }

        assertThat(clients.sample()).hasSizeBetween(30, 100).allMatch(client -> client.requests == 5);
    }

    @Test
    void get_refusedClients_areRetainedWithoutWindows() {
        Clients clients = clients(1000);
        for (int i = 0; i < 200_000; i++) {
            Client client = clients.get("client " + i, i * SECOND / 1000);
            if (i % 400 == 0) {
                client.refusals(0, 1).add(SECOND);
            }
        }

        assertThat(clients.hasAllRefused()).isTrue();
        assertThat(clients.retained().stream().filter(Client::isRefused)).hasSize(500);
    }

    /** Those refused once are dropped, those refused often are not. */
    @Test
    void get_moreRefusedClientsThanRetained_thoseWithTheFewestRefusalsAreDropped() {
        Clients clients = clients(1000);
        for (int i = 0; i < 200_000; i++) {
            Client client = clients.get("client " + i, i * SECOND / 1000);
            int refusals = i % 1000 == 0 ? 10 : 1;
            for (int refusal = 0; refusal < refusals; refusal++) {
                client.refusals(0, 1).add(SECOND);
            }
        }
        for (int i = 0; i < 2000; i++) { // releases the windows of all
            clients.get("the end " + i, 10_000 * SECOND + i * 100 * SECOND);
        }

        assertThat(clients.hasAllRefused()).isFalse();
        assertThat(clients.retained().stream().filter(client -> client.refused() == 10))
                .hasSize(200);
        assertThat(clients.retained()).hasSizeLessThan(1000 + 1000 + 1024);
    }

    /** Clients come back while others are dropped: the map and the list of those with windows stay the same. */
    @Test
    void get_randomClients_keepTheirWindows() {
        long seed = Long.getLong("hotpath.seed", 9);
        SplittableRandom random = new SplittableRandom(seed);
        Clients clients = clients(50);
        for (int i = 0; i < 300_000; i++) {
            Client client = clients.get("client " + random.nextInt(20_000), i * SECOND / 50);
            if (random.nextInt(10) == 0) {
                client.refusals(0, 1).add(SECOND);
            }
            if (i % 1000 == 0) {
                assertThat(clients.retained().stream().filter(retained -> retained.windows != null))
                        .as("seed %d", seed)
                        .hasSize(clients.windows());
            }
        }
        assertThat(clients.sample().count()).isBetween(10L, 50L);
    }
}
