package app;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

@SpringBootApplication
@RestController
public class Application {
    @Bean
    @Order(-99)
    RateLimitWebFilter limits() {
        RequestLimits limits = RequestLimits.of(System::nanoTime);
        return new RateLimitWebFilter(
                keys -> CompletableFuture.completedFuture(limits.ask(keys)), Application::limitsOf);
    }

    private static Mono<Map<String, Limit>> limitsOf(ServerWebExchange exchange) {
        String address = exchange.getRequest().getRemoteAddress().getAddress().getHostAddress();
        return Mono.just(Map.of(RequestLimits.clientKey(null, address), Limit.of(2, Duration.ofHours(1))));
    }

    /** Only compiled. */
    static RateLimitWebFilter onRedis(RedisLimits redis) {
        return new RateLimitWebFilter(
                keys -> redis.tryAcquireOrDelayAsync(keys, 1)
                        .thenApply(nanos -> new RequestLimits.Answer(nanos, List.of())),
                Application::limitsOf);
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        Ask.untilRefused(Application.class, 2);
    }
}
