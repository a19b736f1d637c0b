package io.github.hotpath.examples.web;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Closes calls of gRPC that a limit refuses with {@code RESOURCE_EXHAUSTED}, or with {@code UNAVAILABLE} if the limits
 * cannot be asked. The details are the violated limits ({@code QuotaFailure}) and the delay to the nanosecond ({@code
 * RetryInfo}); the trailer {@code grpc-retry-pushback-ms} tells it to gRPC's own retry policy, which follows nothing
 * else. Health checks are free.
 */
public final class RateLimitInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private final BiFunction<ServerCall<?, ?>, Metadata, CompletableFuture<RequestLimits.Answer>> limits;

    /**
     * Creates an interceptor.
     *
     * @param limits asks for a call, by {@link RequestLimits#ask}
     */
    public RateLimitInterceptor(
            BiFunction<ServerCall<?, ?>, Metadata, CompletableFuture<RequestLimits.Answer>> limits) {
        this.limits = limits;
    }

    /** Returns the address that a call comes from; {@code null} if it is in process or by a Unix-domain socket. */
    public static @Nullable String addressOf(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote
                ? remote.getHostString()
                : null;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if ("grpc.health.v1.Health".equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers); // whose answer must not depend on the load
        }
        RequestLimits.Answer answer = limits.apply(call, headers).join();
        if (answer.isGranted()) {
            return next.startCall(call, headers);
        }
        StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(status(answer));
        Metadata trailers = new Metadata();
        trailers.put(PUSHBACK, Long.toString(pushbackMillis(answer.delayNanos())));
        Metadata details = refusal.getTrailers();
        if (details != null) {
            trailers.merge(details);
        }
        call.close(refusal.getStatus(), trailers);
        return new ServerCall.Listener<>() {}; // nothing more is heard of this call
    }

    /** Rounded up, so that a retry is not refused again; -1, which is no retry, if it does not fit. */
    static long pushbackMillis(long delayNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(delayNanos - 1) + 1;
        return millis <= Integer.MAX_VALUE ? millis : -1;
    }

    private static Status status(RequestLimits.Answer answer) {
        Status.Builder status = answer.status() == 429
                ? Status.newBuilder().setCode(Code.RESOURCE_EXHAUSTED_VALUE).setMessage("The call exceeds a quota")
                : Status.newBuilder().setCode(Code.UNAVAILABLE_VALUE).setMessage("The limits cannot be asked");
        if (!answer.violated().isEmpty()) {
            QuotaFailure.Builder failure = QuotaFailure.newBuilder();
            answer.violated().forEach(name -> failure.addViolationsBuilder().setSubject(name));
            status.addDetails(Any.pack(failure.build()));
        }
        long delay = answer.delayNanos();
        if (delay != Long.MAX_VALUE) {
            Duration duration = Duration.newBuilder()
                    .setSeconds(delay / 1_000_000_000)
                    .setNanos((int) (delay % 1_000_000_000))
                    .build();
            status.addDetails(
                    Any.pack(RetryInfo.newBuilder().setRetryDelay(duration).build()));
        }
        return status.build();
    }
}
