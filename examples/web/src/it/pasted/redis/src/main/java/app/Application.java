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
    @Value("${redis}")
    String uri;

    @Bean
    RedisLimits redisLimits() {
        return new RedisLimits(RedisURI.create(uri), "api:", Duration.ofMinutes(10));
    }

    @Bean
    RequestLimits.Shared sharedLimits(RedisLimits redis) {
        return redis::tryAcquireOrDelay;
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
            String uri = "--redis=redis://127.0.0.1:" + port;
            Ask.untilRefused(Application.class, 60, uri, "--hotpath.limits.client.per=1h");
            Ask.untilRefused(Application.class, 0, uri, "--hotpath.limits.client.per=1h"); // another process
        } finally {
            server.stop();
        }
    }
}
