package io.github.hotpath.examples.recipes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Some addresses that call a server in the same manner, and how often they were served and refused. */
final class Callers {
    /** The header that names the address of a request. */
    static final String ADDRESS = "X-Address";

    static final String HEADING = row("each address sends", "addresses", "requests", "served", "refused");

    private final String manner;
    private final String prefix;
    private final int everySteps;
    private final boolean waits;

    /** Of each address, the time before which it does not call again. */
    private final long[] silentUntil;

    private int served;
    private int refused;

    /**
     * Creates callers that have not called yet.
     *
     * @param everySteps how many steps there are between two requests of an address
     * @param waits whether a refused address waits for {@code Retry-After}
     */
    Callers(String manner, String prefix, int addresses, int everySteps, boolean waits) {
        this.manner = manner;
        this.prefix = prefix;
        this.everySteps = everySteps;
        this.waits = waits;
        this.silentUntil = new long[addresses];
        Arrays.fill(silentUntil, Long.MIN_VALUE);
    }

    /** Sends the requests of a step. */
    void call(int step, long nanos, HttpClient http, URI server) throws IOException, InterruptedException {
        for (int i = 0; i < silentUntil.length; i++) {
            if ((step + i) % everySteps == 0 && nanos >= silentUntil[i]) {
                long retryAfter = call(prefix + (i + 1), http, server);
                silentUntil[i] = waits ? nanos + TimeUnit.SECONDS.toNanos(retryAfter) : nanos;
            }
        }
    }

    /** Sends a request, and returns after how many seconds to come back: 0 if it was served. */
    private long call(String address, HttpClient http, URI server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server)
                .header(ADDRESS, address)
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
        if (response.statusCode() == 200) {
            served++;
            return 0;
        }
        refused++;
        return response.headers().firstValueAsLong("Retry-After").orElseThrow();
    }

    String row() {
        return row(manner, silentUntil.length, served + refused, served, refused);
    }

    private static String row(Object... cells) {
        return String.format("%-32s %9s %9s %9s %9s", cells);
    }
}
