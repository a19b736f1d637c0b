package io.github.hotpath.examples.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** A client of the program's server, by HTTP. */
final class HttpCaller {
    private static final int REFUSED = 429;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final WebServer server;

    HttpCaller(WebServer server) {
        this.server = server;
    }

    /** Asks for the greeting as a user who is logged in. */
    Answer get(String user) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(server.uri("/")).header("Authorization", Accounts.authorization(user)));
    }

    /** Logs in, as if the request came through a proxy from {@code address}. */
    Answer logIn(String address, String user, String password) throws IOException, InterruptedException {
        String form = "user=" + user.replace("@", "%40") + "&password=" + password;
        return send(HttpRequest.newBuilder(server.uri(Site.LOGIN))
                .header("X-Forwarded-For", address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        List<String> violated = new ArrayList<>();
        if (response.statusCode() == REFUSED) {
            for (JsonElement policy :
                    JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonArray("violated-policies")) {
                violated.add(policy.getAsString());
            }
        }
        long retryAfter = response.headers().firstValueAsLong("Retry-After").orElse(0);
        return new Answer(response.statusCode(), violated, retryAfter);
    }

    /**
     * An answer.
     *
     * @param violated the names of the limits that refused, none if it was granted
     * @param retryAfterSeconds what {@code Retry-After} says, 0 if there is none
     */
    record Answer(int status, List<String> violated, long retryAfterSeconds) {
        boolean isRefused() {
            return status == REFUSED;
        }
    }
}
