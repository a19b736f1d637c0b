package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import org.infinispan.manager.EmbeddedCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FleetLimiterTest {
    @Test
    void tryit() throws Exception {
        long t = System.nanoTime();
        try (LocalMembers members = new LocalMembers()) {
            List<EmbeddedCacheManager> all = members.startAll();
            System.out.println("started " + (System.nanoTime() - t) / 1e9);
            Limit limit = Limit.of(10, Duration.ofSeconds(100));
            FleetLimiter<String> a =
                    FleetLimiter.join(all.get(0), "x", Duration.ofMillis(500), Duration.ofSeconds(5), limit);
            System.out.println("a " + (System.nanoTime() - t) / 1e9);
            FleetLimiter<String> b =
                    FleetLimiter.join(all.get(1), "x", Duration.ofMillis(500), Duration.ofSeconds(5), limit);
            FleetLimiter<String> c =
                    FleetLimiter.join(all.get(2), "x", Duration.ofMillis(500), Duration.ofSeconds(5), limit);
            System.out.println("joined " + (System.nanoTime() - t) / 1e9);
            for (int i = 0; i < 10; i++) {
                assertThat(List.of(a, b, c).get(i % 3).tryAcquire("k", 1)).isTrue();
            }
            assertThat(List.of(a, b, c)).allMatch(l -> !l.tryAcquire("k", 1));
            System.out.println("done " + (System.nanoTime() - t) / 1e9);
        }
        System.out.println("stopped " + (System.nanoTime() - t) / 1e9);
    }
}
