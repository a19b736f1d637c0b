package io.github.hotpath.examples.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.github.hotpath.examples.web.RequestLimits.Answer;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Quota;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class RateLimitInterceptorTest {
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private static final Map<String, Limit> ONE = Map.of("client:address:127.0.0.1", Limit.of(1, Duration.ofDays(30)));

    private static final MethodDescriptor<Any, Any> GREET = MethodDescriptor.newBuilder(
                    ProtoUtils.marshaller(Any.getDefaultInstance()), ProtoUtils.marshaller(Any.getDefaultInstance()))
            .setType(MethodType.UNARY)
            .setFullMethodName("Greeter/Greet")
            .build();

    private @Nullable Server server;
    private @Nullable ManagedChannel channel;

    /** Retries after an hour, unless it is told otherwise. */
    private void start(RequestLimits limits) throws IOException {
        RateLimitInterceptor interceptor = new RateLimitInterceptor((call, headers) -> {
            assertThat(RequestLimits.clientKey(null, RateLimitInterceptor.addressOf(call)))
                    .isEqualTo("client:address:127.0.0.1");
            return limits.ask(ONE, 1);
        });
        server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerInterceptors.intercept(new HealthStatusManager().getHealthService(), interceptor))
                .addService(ServerInterceptors.intercept(
                        ServerServiceDefinition.builder("Greeter")
                                .addMethod(GREET, ServerCalls.asyncUnaryCall((request, greeting) -> {
                                    greeting.onNext(request);
                                    greeting.onCompleted();
                                }))
                                .build(),
                        interceptor))
                .build()
                .start();
        Map<String, ?> policy = Map.of(
                "maxAttempts",
                2.0,
                "initialBackoff",
                "3600s",
                "maxBackoff",
                "3600s",
                "backoffMultiplier",
                1.0,
                "retryableStatusCodes",
                List.of("RESOURCE_EXHAUSTED"));
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.getPort(), InsecureChannelCredentials.create())
                .defaultServiceConfig(
                        Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy))))
                .build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (channel != null && server != null) {
            channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
            server.shutdownNow().awaitTermination();
        }
    }

    /** The client's own policy follows the pushback alone: without it this call would take an hour. */
    @Test
    void call_refusedOnce_retriedAfterThePushback() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        start((keys, permits) -> answer(calls.getAndIncrement() == 0 ? 1_000_001 : 0));

        check();

        assertThat(calls).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "999999, 1",
        "1000000, 1",
        "1000001, 2",
        "2147483647000000, 2147483647",
        "2147483647000001, -1",
        "9223372036854775807, -1"
    })
    void pushback_anyDelay_millisecondsRoundedUpOrNever(long nanos, String pushback) {
        assertThat(RateLimitInterceptor.pushbackMillis(nanos)).hasToString(pushback);
    }

    @Test
    void call_refusedForEver_notRetried() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        start((keys, permits) -> {
            calls.getAndIncrement();
            return answer(Long.MAX_VALUE);
        });

        StatusRuntimeException refusal = refusal();

        assertThat(calls).hasValue(1);
        assertThat(requireNonNull(refusal.getTrailers()).get(PUSHBACK)).isEqualTo("-1");
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(details(refusal)).isEmpty(); // neither which limit refuses is known, nor when to retry
    }

    private static CompletableFuture<Answer> answer(long delayNanos) {
        Quota quota = new Quota(Limit.of(1, Duration.ofDays(30)), 0, 0, false);
        return CompletableFuture.completedFuture(new Answer(delayNanos, Map.of("client", quota)));
    }

    @Test
    void call_limitsCannotBeAsked_unavailable() throws Exception {
        start((keys, permits) -> CompletableFuture.completedFuture(new Answer(1_000_000_000, Map.of())));

        StatusRuntimeException refusal = refusal();

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(requireNonNull(refusal.getTrailers()).get(PUSHBACK)).isEqualTo("1000");
    }

    /** Or a busy server would look like a broken one. */
    @Test
    void call_healthOfTheServer_isFree() throws Exception {
        start(new RequestLimits.Local(() -> 7));
        check();
        refusal();

        HealthGrpc.newBlockingStub(requireNonNull(channel))
                .withDeadlineAfter(10, TimeUnit.MINUTES)
                .check(HealthCheckRequest.getDefaultInstance());
    }

    @Test
    void call_refused_exactDelayAndNameOfTheLimit() throws Exception {
        start(new RequestLimits.Local(() -> 7));
        check();

        StatusRuntimeException refusal = refusal(); // whose delay of 30 days is too long for a pushback

        assertThat(details(refusal)
                        .get(0)
                        .unpack(QuotaFailure.class)
                        .getViolations(0)
                        .getSubject())
                .isEqualTo("client");
        assertThat(details(refusal).get(1).unpack(RetryInfo.class).getRetryDelay())
                .isEqualTo(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(30 * 86_400)
                        .setNanos(1)
                        .build());
    }

    private void check() {
        ClientCalls.blockingUnaryCall(
                requireNonNull(channel),
                GREET,
                CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.MINUTES),
                Any.getDefaultInstance());
    }

    private StatusRuntimeException refusal() {
        return requireNonNull(catchThrowableOfType(StatusRuntimeException.class, this::check));
    }

    private static List<Any> details(StatusRuntimeException refusal) {
        return requireNonNull(StatusProto.fromThrowable(refusal)).getDetailsList();
    }
}
