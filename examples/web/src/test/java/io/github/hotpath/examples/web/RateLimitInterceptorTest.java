package io.github.hotpath.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.github.hotpath.limit.Limit;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitInterceptorTest {
    private static final String ALICE = "alice@acme";

    private TestService service;
    private GrpcServer server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        service = new TestService();
        server = new GrpcServer(service.service.interceptors());
        channel = Grpc.newChannelBuilderForAddress("127.0.0.1", server.port(), InsecureChannelCredentials.create())
                .build();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
        server.close();
        service.close();
    }

    @Test
    void call_refused_resourceExhaustedWithTheExactDelay() throws InvalidProtocolBufferException {
        useUp(ALICE, 3);
        service.advance(Duration.ofNanos(1_234_567_890));

        StatusRuntimeException refusal = refusal(ALICE);

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(delay(refusal)).isEqualTo(Duration.ofNanos(60_000_000_001L - 1_234_567_890));
        assertThat(violated(refusal)).containsExactly("client");
        service.advance(delay(refusal).minusNanos(1));
        assertThat(delay(refusal(ALICE))).isEqualTo(Duration.ofNanos(1));
        service.advance(Duration.ofNanos(1));
        useUp(ALICE, 1);
    }

    /** One set of limits for both: a client cannot have twice its permits. */
    @Test
    void call_afterRequestsByHttp_countsTogether() throws InvalidProtocolBufferException {
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(200);
        useUp(ALICE, 2);

        assertThat(violated(refusal(ALICE))).containsExactly("client");
        assertThat(service.getAsUser(ALICE).statusCode()).isEqualTo(429);
        service.limits.setPlan(LoginOrAddress.loginKey(ALICE), Plan.PRO);
        useUp(ALICE, 1);
    }

    @Test
    void call_tenantExceeded_clientKeepsItsPermits() throws InvalidProtocolBufferException {
        service.limits.setPlan(LoginOrAddress.loginKey(ALICE), Plan.PRO);
        useUp(ALICE, 5);
        useUp("bob@acme", 3);
        service.limits.setPlan(LoginOrAddress.loginKey("bob@acme"), Plan.PRO);

        StatusRuntimeException refusal = refusal("bob@acme");

        assertThat(violated(refusal)).containsExactly("tenant");
        assertThat(delay(refusal)).isEqualTo(Duration.ofNanos(10_000_000_001L));
        service.advance(delay(refusal));
        useUp("bob@acme", 2); // the rest of the client's
        assertThat(violated(refusal("bob@acme"))).containsExactly("client");
    }

    @Test
    void call_refusedForEver_hasNoRetryInfo() throws InvalidProtocolBufferException {
        service.limits.setLimit(Plan.FREE, Limit.of(0, Duration.ofSeconds(10)));

        StatusRuntimeException refusal = refusal(ALICE);

        assertThat(violated(refusal)).containsExactly("client");
        assertThat(details(refusal)).noneMatch(detail -> detail.is(RetryInfo.class));
    }

    @Test
    void call_notLoggedIn_countsForTheAddressThatTheProxyAdds() {
        for (int i = 0; i < 3; i++) {
            check(forwarded("203.0.113." + i + ", 198.51.100.7")); // the first one is invented
        }

        StatusRuntimeException refusal =
                catchThrowableOfType(StatusRuntimeException.class, () -> check(forwarded("198.51.100.7")));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(check(forwarded("198.51.100.8"))).isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void call_grantedAndRefused_sameMetersAsByHttp() {
        useUp(ALICE, 3);
        refusal(ALICE);

        assertThat(service.registry
                        .get("limits.requests")
                        .tag("outcome", "granted")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(service.registry
                        .get("limits.refusals")
                        .tag("policy", "client")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private void useUp(String user, int calls) {
        for (int i = 0; i < calls; i++) {
            assertThat(check(authorization(user))).isEqualTo(ServingStatus.SERVING);
        }
    }

    private StatusRuntimeException refusal(String user) {
        return Objects.requireNonNull(
                catchThrowableOfType(StatusRuntimeException.class, () -> check(authorization(user))));
    }

    private ServingStatus check(Metadata headers) {
        HealthBlockingStub stub = HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(1, TimeUnit.MINUTES)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        return stub.check(HealthCheckRequest.getDefaultInstance()).getStatus();
    }

    private static Metadata authorization(String user) {
        Metadata headers = new Metadata();
        headers.put(AuthenticationInterceptor.AUTHORIZATION, Accounts.authorization(user));
        return headers;
    }

    private static Metadata forwarded(String addresses) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("x-forwarded-for", Metadata.ASCII_STRING_MARSHALLER), addresses);
        return headers;
    }

    private static Duration delay(StatusRuntimeException refusal) throws InvalidProtocolBufferException {
        for (Any detail : details(refusal)) {
            if (detail.is(RetryInfo.class)) {
                com.google.protobuf.Duration delay =
                        detail.unpack(RetryInfo.class).getRetryDelay();
                return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
            }
        }
        throw new AssertionError("no RetryInfo");
    }

    private static List<String> violated(StatusRuntimeException refusal) throws InvalidProtocolBufferException {
        List<String> policies = new ArrayList<>();
        for (Any detail : details(refusal)) {
            if (detail.is(QuotaFailure.class)) {
                detail.unpack(QuotaFailure.class)
                        .getViolationsList()
                        .forEach(violation -> policies.add(violation.getSubject()));
            }
        }
        return policies;
    }

    private static List<Any> details(StatusRuntimeException refusal) {
        return Objects.requireNonNull(StatusProto.fromThrowable(refusal)).getDetailsList();
    }
}
