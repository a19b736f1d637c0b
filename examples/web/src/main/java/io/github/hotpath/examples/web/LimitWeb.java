package io.github.hotpath.examples.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.logging.LogManager;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts a limited application on a free port, sends it requests until one is refused, and prints the answers. */
public final class LimitWeb {
    /** The configuration is found beside it. */
    @SpringBootApplication
    @RestController
    static class Application {
        @GetMapping("/")
        String greet() {
            return "welcome";
        }
    }

    private LimitWeb() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        LogManager.getLogManager().reset(); // Tomcat logs that it starts and stops
        Path directory = Files.createTempDirectory("hotpath-web-"); // Tomcat's own would stay behind
        try (ConfigurableApplicationContext application = start(
                directory,
                "--hotpath.limits.client.requests=3",
                "--hotpath.limits.client.per=10s",
                "--hotpath.limits.service.requests=1000",
                "--hotpath.limits.service.per=1s")) {
            String port = application.getEnvironment().getRequiredProperty("local.server.port");
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port))
                    .build();
            HttpResponse<String> answer;
            do {
                answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
                print(answer);
            } while (answer.statusCode() == 200);
        } finally {
            FileSystemUtils.deleteRecursively(directory);
        }
        System.exit(0); // though a client's threads wait for further requests
    }

    private static void print(HttpResponse<String> answer) {
        System.out.println("HTTP/1.1 " + answer.statusCode());
        for (String field : new String[] {"RateLimit-Policy", "RateLimit", "Retry-After", "Content-Type"}) {
            Optional<String> value = answer.headers().firstValue(field);
            value.ifPresent(text -> System.out.println(field + ": " + text));
        }
        System.out.println("\n" + answer.body() + "\n");
    }

    /** Starts the application on a free port of the loopback interface. */
    static ConfigurableApplicationContext start(Path directory, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties("server.port=0", "server.address=127.0.0.1", "server.tomcat.basedir=" + directory)
                .bannerMode(Banner.Mode.OFF)
                .run(properties);
    }
}
