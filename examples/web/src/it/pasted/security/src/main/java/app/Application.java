package app;

import io.github.hotpath.limit.Limit;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Users are limited when they are known; and when five passwords were wrong, the right one is refused, too. */
@SpringBootApplication
@RestController
public class Application {
    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        var users = new InMemoryUserDetailsManager(
                User.withUsername("ann").password("{noop}right").roles("USER").build());
        var manager = new ProviderManager(new DaoAuthenticationProvider(users));
        http.authenticationManager(
                new LimitedAuthenticationManager(manager, Limit.of(5, Duration.ofMinutes(15)), System::nanoTime));
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--hotpath.limits.client.requests=10",
                "--hotpath.limits.client.per=1h")) {
            String uri = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/";
            for (int i = 0; i < 10; i++) {
                Ask.check(get(uri, "right"), 200);
            }
            Ask.check(get(uri, "right"), 429);
            for (int i = 0; i < 5; i++) {
                Ask.check(get(uri, "wrong"), 401);
            }
            Ask.check(get(uri, "right"), 401);
        }
    }

    private static HttpResponse<String> get(String uri, String password) throws Exception {
        String login = Base64.getEncoder().encodeToString(("ann:" + password).getBytes());
        return Ask.get(uri, "Authorization", "Basic " + login);
    }
}
