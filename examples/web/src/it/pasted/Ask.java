package app;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Asks an application until it refuses. */
final class Ask {
    private Ask() {}

    static void untilRefused(Class<?> application, int requests, String... properties) throws Exception {
        String[] all = new String[properties.length + 2];
        all[0] = "--server.port=0";
        all[1] = "--server.address=127.0.0.1";
        System.arraycopy(properties, 0, all, 2, properties.length);
        try (ConfigurableApplicationContext context = SpringApplication.run(application, all)) {
            String uri = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/";
            for (int i = 0; i < requests; i++) {
                check(get(uri), 200);
            }
            HttpResponse<String> refused = get(uri);
            check(refused, 429);
            refused.headers().firstValue("Retry-After").orElseThrow();
            refused.headers().firstValue("RateLimit").orElseThrow();
        }
    }

    static HttpResponse<String> get(String uri, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    static void check(HttpResponse<String> answer, int status) {
        if (answer.statusCode() != status) {
            throw new AssertionError(answer + " " + answer.body() + " (expected: " + status + ")");
        }
    }
}
