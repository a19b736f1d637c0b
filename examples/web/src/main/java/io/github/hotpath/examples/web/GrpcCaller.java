package io.github.hotpath.examples.web;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/** A client of the program's server, by gRPC. */
final class GrpcCaller implements AutoCloseable {
    private final ManagedChannel channel;

    GrpcCaller(GrpcServer server) {
        channel = Grpc.newChannelBuilderForAddress(
                        InetAddress.getLoopbackAddress().getHostAddress(),
                        server.port(),
                        InsecureChannelCredentials.create())
                .build();
    }

    /**
     * Calls the service of health as a user who is logged in, and returns 0, or the nanoseconds after which a call that
     * was refused may be made again.
     */
    long call(String user) throws InvalidProtocolBufferException {
        Metadata headers = new Metadata();
        headers.put(AuthenticationInterceptor.AUTHORIZATION, Accounts.authorization(user));
        try {
            HealthCheckRequest request = HealthCheckRequest.getDefaultInstance();
            HealthGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .check(request);
            return 0;
        } catch (StatusRuntimeException e) {
            return retryDelayNanos(e);
        }
    }

    private static long retryDelayNanos(StatusRuntimeException e) throws InvalidProtocolBufferException {
        Status status = StatusProto.fromThrowable(e);
        if (status != null) {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(RetryInfo.class)) {
                    Duration delay = detail.unpack(RetryInfo.class).getRetryDelay();
                    return TimeUnit.SECONDS.toNanos(delay.getSeconds()) + delay.getNanos();
                }
            }
        }
        throw e; // another failure than a refusal
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
