package app;

import io.github.hotpath.limit.Limit;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
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
        RequestLimits limits = new RequestLimits.Local(System::nanoTime);
        return new RateLimitWebFilter(exchange -> {
            InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
            String client = RequestLimits.clientKey(null, remote == null ? null : remote.getHostString());
            return Mono.just(limits.ask(Map.of(client, Limit.of(2, Duration.ofHours(1))), 1));
        });
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        Ask.untilRefused(Application.class, 2);
    }
}
