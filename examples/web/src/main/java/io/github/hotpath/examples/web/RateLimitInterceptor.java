package io.github.hotpath.examples.web;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.github.hotpath.limit.Decision;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What {@link RateLimitFilter} is for HTTP: passes on a call that all limits grant, and closes every other one with
 * {@code RESOURCE_EXHAUSTED}. The details of the status are the violated policies ({@code QuotaFailure}) and the delay
 * to the nanosecond ({@code RetryInfo}), which policies of retrying in clients follow.
 */
final class RateLimitInterceptor implements ServerInterceptor {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ServiceLimits limits;
    private final CallerResolver callers;
    private final LimiterMetrics metrics;
    private final LongSupplier nanoClock;

    RateLimitInterceptor(ServiceLimits limits, CallerResolver callers, LimiterMetrics metrics, LongSupplier nanoClock) {
        this.limits = limits;
        this.callers = callers;
        this.metrics = metrics;
        this.nanoClock = nanoClock;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Caller caller = callers.callerOf(Origin.of(call, headers, AuthenticationInterceptor.USER.get()));
        Decision decision = limits.of(caller).decide(nanoClock.getAsLong(), 1);
        metrics.count(decision);
        if (decision.isGranted()) {
            return next.startCall(call, headers);
        }
        StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(status(decision));
        Metadata trailers = refusal.getTrailers();
        call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
        return new ServerCall.Listener<>() {}; // nothing more is heard of this call
    }

    private static Status status(Decision decision) {
        List<String> violated = ServiceLimits.violated(decision);
        Status.Builder status = Status.newBuilder()
                .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                .setMessage("The call exceeds a quota: " + String.join(", ", violated))
                .addDetails(Any.pack(quotaFailure(violated)));
        if (decision.delayNanos() != Long.MAX_VALUE) {
            status.addDetails(Any.pack(retryInfo(decision.delayNanos())));
        }
        return status.build();
    }

    private static QuotaFailure quotaFailure(List<String> violated) {
        QuotaFailure.Builder failure = QuotaFailure.newBuilder();
        for (String policy : violated) {
            failure.addViolations(QuotaFailure.Violation.newBuilder().setSubject(policy));
        }
        return failure.build();
    }

    private static RetryInfo retryInfo(long delayNanos) {
        RetryInfo.Builder info = RetryInfo.newBuilder();
        info.getRetryDelayBuilder().setSeconds(delayNanos / NANOS_PER_SECOND).setNanos((int)
                (delayNanos % NANOS_PER_SECOND));
        return info.build();
    }
}
