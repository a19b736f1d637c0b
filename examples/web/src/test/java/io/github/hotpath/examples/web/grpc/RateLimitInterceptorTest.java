package io.github.hotpath.examples.web.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.rpc.RetryInfo;
import io.github.hotpath.examples.web.Caller;
import io.github.hotpath.examples.web.ClientAddresses;
import io.github.hotpath.examples.web.RequestLimits;
import io.github.hotpath.examples.web.TestLimits;
import io.github.hotpath.examples.web.Verdict;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.grpc.protobuf.StatusProto;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private static final Metadata.Key<String> FORWARDED_FOR =
            Metadata.Key.of("X-Forwarded-For", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private final ClientAddresses addresses = new ClientAddresses(List.of("127.0.0.1"), "X-Forwarded-For", 64);
    private @Nullable Server server;
    private @Nullable ManagedChannel channel;

    /** Retries after an hour, unless it is told otherwise. */
    private void start(RequestLimits limits, boolean isExempt) throws IOException {
        RateLimitInterceptor interceptor = new RateLimitInterceptor(
                limits,
                (call, headers) -> Caller.address(RateLimitInterceptor.addressOf(call, headers, addresses)),
                call -> isExempt);
        server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerInterceptors.intercept(new HealthStatusManager().getHealthService(), interceptor))
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
        start((caller, permits) -> Verdict.of(calls.getAndIncrement() == 0 ? 1_000_001 : 0, "client"), false);

        check("192.0.2.1");

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
        start(
                (caller, permits) -> {
                    calls.getAndIncrement();
                    return Verdict.of(Long.MAX_VALUE);
                },
                false);

        StatusRuntimeException refusal = refusal("192.0.2.1");

        assertThat(calls).hasValue(1);
        assertThat(requireNonNull(refusal.getTrailers()).get(PUSHBACK)).isEqualTo("-1");
        assertThat(refusal.getStatus().getDescription()).isEqualTo("The call exceeds a quota");
        assertThat(details(refusal)).isEmpty(); // neither which limit refuses is known, nor when to retry
    }

    @Test
    void call_refused_exactDelayOfTheAddressBehindTheProxy() throws Exception {
        TestLimits limits = new TestLimits();
        AtomicInteger calls = new AtomicInteger();
        start(
                (caller, permits) -> {
                    Verdict verdict = limits.decide(caller, permits);
                    // The client does not wait for the retry, which is refused for ever.
                    return verdict.isGranted() || calls.getAndIncrement() > 0
                            ? verdict
                            : new Verdict(Duration.ofDays(30).toNanos() + 1, verdict.policies(), verdict.violated());
                },
                false);
        for (int i = 0; i < 3; i++) {
            check("203.0.113." + i + ", 192.0.2.1"); // the first one is invented
        }

        StatusRuntimeException refusal = refusal("192.0.2.1");

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refusal.getStatus().getDescription()).isEqualTo("The call exceeds a quota: client");
        assertThat(details(refusal).get(1).unpack(RetryInfo.class).getRetryDelay())
                .isEqualTo(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(30 * 86_400)
                        .setNanos(1)
                        .build());
        check("192.0.2.2");
    }

    @Test
    void call_exempt_notCounted() throws IOException {
        start((caller, permits) -> Verdict.of(Long.MAX_VALUE), true);

        check("192.0.2.1");
    }

    private void check(String forwardedFor) {
        Metadata headers = new Metadata();
        headers.put(FORWARDED_FOR, forwardedFor);
        HealthBlockingStub stub = HealthGrpc.newBlockingStub(requireNonNull(channel))
                .withDeadlineAfter(10, TimeUnit.MINUTES)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        stub.check(HealthCheckRequest.getDefaultInstance());
    }

    private StatusRuntimeException refusal(String forwardedFor) {
        return requireNonNull(catchThrowableOfType(StatusRuntimeException.class, () -> check(forwardedFor)));
    }

    private static List<Any> details(StatusRuntimeException refusal) {
        return requireNonNull(StatusProto.fromThrowable(refusal)).getDetailsList();
    }
}
