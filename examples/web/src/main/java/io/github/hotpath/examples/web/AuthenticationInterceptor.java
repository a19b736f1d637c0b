package io.github.hotpath.examples.web;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/** Finds out which user is logged in, by the token of a call, as {@link AuthenticationFilter} does for HTTP. */
final class AuthenticationInterceptor implements ServerInterceptor {
    /** The user who is logged in, {@code null} if nobody is. */
    static final Context.Key<String> USER = Context.key("user");

    static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("Authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Accounts accounts;

    AuthenticationInterceptor(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Context context = Optional.ofNullable(headers.get(AUTHORIZATION))
                .flatMap(accounts::user)
                .map(user -> Context.current().withValue(USER, user))
                .orElse(Context.current());
        return Contexts.interceptCall(context, call, headers, next);
    }
}
