package app;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@EnableScheduling
@SpringBootApplication
@RestController
public class Application {
    @Bean
    PostgresLimits postgresLimits(@Value("${limits.url}") String url, @Value("${limits.timeout}") Duration timeout) {
        PGSimpleDataSource database = new PGSimpleDataSource(); // no bean, which would replace your application's
        database.setUrl(url);
        return new PostgresLimits(database, timeout);
    }

    @Bean
    RequestLimits sharedLimits(PostgresLimits postgres) {
        return (limits, permits) -> postgres.decide(limits, permits)
                .thenApply(answer -> new RequestLimits.Answer(answer.delayNanos(), answer.quotas()));
    }

    @Component
    static class IdleRows {
        private final JdbcTemplate jdbc;

        IdleRows(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Scheduled(fixedDelay = 60_000)
        void delete() {
            while (jdbc.update(PostgresLimits.DELETE_IDLE) == 1_000) {
                // there are more
            }
        }
    }

    @GetMapping("/")
    String greet() {
        return "welcome";
    }

    public static void main(String[] args) throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            String url = server.getJdbcUrl("postgres", "postgres");
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(PostgresLimits.TABLE);
            }
            String[] properties = {
                "--limits.url=" + url,
                "--limits.timeout=30s",
                "--spring.datasource.url=" + url,
                "--hotpath.limits.client.per=1h"
            };
            Ask.untilRefused(Application.class, 60, properties);
            Ask.untilRefused(Application.class, 0, properties); // another process
        }
    }
}
