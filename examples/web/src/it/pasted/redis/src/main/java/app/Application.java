package app;

import io.lettuce.core.RedisURI;
import java.net.ServerSocket;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import redis.embedded.RedisServer;

@SpringBootApplication
@RestController
public class Application {
    @Bean
    RedisLimits redisLimits(@Value("${redis.uri}") String uri, @Value("${redis.timeout}") Duration timeout) {
        return new RedisLimits(RedisURI.create(uri), "api:", timeout);
    }

    @Bean
    RequestLimits sharedLimits(RedisLimits redis) {
        return (limits, permits) -> redis.decide(limits, permits)
                .thenApply(answer -> new RequestLimits.Answer(answer.delayNanos(), answer.quotas()));
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        RedisServer server = RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
        server.start();
        try {
            String[] properties = {
                "--redis.uri=redis://127.0.0.1:" + port, "--redis.timeout=10m", "--hotpath.limits.client.per=1h"
            };
            Ask.untilRefused(Application.class, 60, properties);
            Ask.untilRefused(Application.class, 0, properties); // another process
        } finally {
            server.stop();
        }
    }
}
