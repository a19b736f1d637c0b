package io.github.hotpath.examples.web.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.ClientAddresses;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.Verdict;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Passes on a call that all limits grant, and closes every other one with {@code RESOURCE_EXHAUSTED}. Its details are
 * the violated policies, if known ({@code QuotaFailure}), and the delay to the nanosecond ({@code RetryInfo}); the
 * trailer {@code grpc-retry-pushback-ms} tells it to gRPC's own retry policy, which follows nothing else.
 */
public final class RateLimitInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    /** A negative pushback: do not retry. */
    private static final long NEVER = -1;

    private final RequestLimits limits;
    private final BiFunction<ServerCall<?, ?>, Metadata, Caller> callerOf;
    private final Predicate<ServerCall<?, ?>> exempt;

    /**
     * Creates an interceptor.
     *
     * @param callerOf returns the keys of a call; put the interceptor that authenticates in front
     * @param exempt what is passed on without being counted, such as calls of the service of health
     */
    public RateLimitInterceptor(
            RequestLimits limits,
            BiFunction<ServerCall<?, ?>, Metadata, Caller> callerOf,
            Predicate<ServerCall<?, ?>> exempt) {
        this.limits = limits;
        this.callerOf = callerOf;
        this.exempt = exempt;
    }

    /** Returns the key of the address that a call comes from. */
    public static String addressOf(ServerCall<?, ?> call, Metadata headers, ClientAddresses addresses) {
        List<String> fields = new ArrayList<>();
        Iterable<String> values = headers.getAll(Metadata.Key.of(addresses.header(), Metadata.ASCII_STRING_MARSHALLER));
        if (values != null) {
            values.forEach(fields::add);
        }
        String remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress inet
                        && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : null; // a Unix-domain socket, or in process
        return addresses.keyOf(remote, fields);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (exempt.test(call)) {
            return next.startCall(call, headers);
        }
        Verdict verdict = limits.decide(callerOf.apply(call, headers), 1);
        if (verdict.isGranted()) {
            return next.startCall(call, headers);
        }
        StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(status(verdict));
        Metadata trailers = new Metadata();
        trailers.put(PUSHBACK, Long.toString(pushbackMillis(verdict.delayNanos())));
        Metadata details = refusal.getTrailers();
        if (details != null) {
            trailers.merge(details);
        }
        call.close(refusal.getStatus(), trailers);
        return new ServerCall.Listener<>() {}; // nothing more is heard of this call
    }

    /** Rounded up, so that a retry is not refused again. */
    static long pushbackMillis(long delayNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(delayNanos - 1) + 1;
        return millis <= Integer.MAX_VALUE ? millis : NEVER;
    }

    private static Status status(Verdict verdict) {
        Status.Builder status =
                Status.newBuilder().setCode(Code.RESOURCE_EXHAUSTED_VALUE).setMessage("The call exceeds a quota");
        if (!verdict.violated().isEmpty()) {
            QuotaFailure.Builder failure = QuotaFailure.newBuilder();
            verdict.violated().forEach(policy -> failure.addViolationsBuilder().setSubject(policy));
            status.setMessage(status.getMessage() + ": " + String.join(", ", verdict.violated()))
                    .addDetails(Any.pack(failure.build()));
        }
        if (verdict.delayNanos() != Long.MAX_VALUE) {
            status.addDetails(Any.pack(RetryInfo.newBuilder()
                    .setRetryDelay(duration(verdict.delayNanos()))
                    .build()));
        }
        return status.build();
    }

    private static Duration duration(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        int rest = (int) (nanos - TimeUnit.SECONDS.toNanos(seconds));
        return Duration.newBuilder().setSeconds(seconds).setNanos(rest).build();
    }
}
