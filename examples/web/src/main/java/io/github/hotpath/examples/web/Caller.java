package io.github.hotpath.examples.web;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The keys by which a request counts.
 *
 * @param client the key of the client
 * @param tenant the key of the tenant, whose clients share a limit; {@code null} if the client has none. Callers who are
 *     not logged in have none: if all of them shared one, a few could use it up for everybody who wants to log in
 */
public record Caller(String client, @Nullable String tenant) {
    public Caller {
        requireNonNull(client, "client");
    }

    /** Returns the caller who is logged in by that name, of that tenant, from whatever address. */
    public static Caller user(String name, @Nullable String tenant) {
        return new Caller("user:" + name, tenant);
    }

    /** Returns a caller who is not logged in, by its address. No user can choose a name that is the same key. */
    public static Caller address(String address) {
        return new Caller("address:" + address, null);
    }
}
