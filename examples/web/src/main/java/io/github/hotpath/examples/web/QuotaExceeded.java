package io.github.hotpath.examples.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/**
 * The answer to a request that was refused: status 429, {@code Retry-After}, and the violated policies as problem
 * details (RFC 9457) of the type that the draft of the {@code RateLimit} fields defines.
 */
final class QuotaExceeded {
    static final String TYPE = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    private static final int TOO_MANY_REQUESTS = 429;

    private QuotaExceeded() {}

    /**
     * Answers a refused request.
     *
     * @param response not committed yet
     * @param delayNanos the time after which the request is granted, if nothing else is until then; {@link
     *     Long#MAX_VALUE} if it never is, and then there is no {@code Retry-After}
     * @param violated the names of the policies
     */
    static void send(HttpServletResponse response, long delayNanos, List<String> violated) throws IOException {
        response.setStatus(TOO_MANY_REQUESTS);
        if (delayNanos != Long.MAX_VALUE) {
            response.setHeader("Retry-After", Long.toString(RateLimitFields.seconds(delayNanos)));
        }
        byte[] body = problem(violated).toString().getBytes(UTF_8);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static JsonObject problem(List<String> violated) {
        JsonArray policies = new JsonArray();
        violated.forEach(policies::add);
        JsonObject problem = new JsonObject();
        problem.addProperty("type", TYPE);
        problem.addProperty("title", "The request exceeds a quota");
        problem.addProperty("status", TOO_MANY_REQUESTS);
        problem.add("violated-policies", policies);
        return problem;
    }
}
