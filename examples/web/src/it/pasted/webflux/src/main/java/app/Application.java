package app;

import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@SpringBootApplication
@RestController
public class Application {
    @Bean
    @Order(-99)
    RateLimitWebFilter limits() {
        RequestLimits limits = RequestLimits.of(System::nanoTime);
        return new RateLimitWebFilter(
                keys -> CompletableFuture.completedFuture(limits.ask(keys)),
                exchange -> Mono.just(Map.of(
                        RequestLimits.clientKey(
                                null, exchange.getRequest().getRemoteAddress().getAddress().getHostAddress()),
                        Limit.of(2, Duration.ofHours(1)))));
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        Ask.untilRefused(Application.class, 2);
    }
}
