package app;

import io.github.hotpath.limit.Limit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Application {
    @Path("/")
    public static class Greeting {
        @GET
        public String greet() {
            return "welcome";
        }
    }

    @Bean
    ResourceConfig resources() {
        RequestLimits limits = new RequestLimits.Local(System::nanoTime);
        return new ResourceConfig(Greeting.class)
                .register(new RateLimitRequestFilter(
                        request -> limits.ask(Map.of("service", Limit.of(2, Duration.ofHours(1))), 1)));
    }

    public static void main(String[] args) throws Exception {
        Ask.untilRefused(Application.class, 2);
    }
}
