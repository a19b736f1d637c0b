package io.github.hotpath.examples.web.spring;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.examples.support.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.logging.LogManager;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a limited application on a free port, sends it requests, and shows how each is answered. */
@Command(name = "LimitWeb", mixinStandardHelpOptions = true, showDefaultValues = true)
public final class LimitWeb implements Callable<Integer> {
    @Option(names = "--limit", description = "of the client: permits and interval", defaultValue = "5/10s")
    private String limit = "";

    @Option(names = "--requests", description = "how many are sent", defaultValue = "7")
    private int requests;

    /** An application as Spring Boot has them, with limits. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportAutoConfiguration(RateLimitConfiguration.class)
    @RestController
    static class Application {
        @GetMapping("/")
        String greet() {
            return "welcome";
        }
    }

    /** Runs the program, and ends the JVM. */
    public static void main(String[] args) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        LogManager.getLogManager().reset(); // Tomcat logs that it starts and stops
        System.exit(new CommandLine(new LimitWeb()).execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Table answers = new Table(2, "status", "RateLimit", "Retry-After");
        Path directory = Files.createTempDirectory("hotpath-web-"); // Tomcat's own would stay behind
        try (ConfigurableApplicationContext application = start(directory, "--hotpath.limits.client=" + limit)) {
            URI uri = URI.create(
                    "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
            HttpClient client = HttpClient.newHttpClient();
            for (int i = 0; i < requests; i++) {
                HttpResponse<String> answer =
                        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
                answers.add(
                        Integer.toString(answer.statusCode()),
                        answer.headers().firstValue("RateLimit").orElse(""),
                        answer.headers().firstValue("Retry-After").orElse(""));
            }
        } finally {
            MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
        }
        System.out.print(answers);
        return 0;
    }

    /** Starts the application on a free port of the loopback interface. */
    static ConfigurableApplicationContext start(Path directory, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties("server.port=0", "server.address=127.0.0.1", "server.tomcat.basedir=" + directory)
                .bannerMode(Banner.Mode.OFF)
                .run(properties);
    }
}
