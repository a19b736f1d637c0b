package io.github.hotpath.examples.fleet;

import io.github.hotpath.examples.fleet.FleetMachine.Outcome;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.GroupListReplyProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupManagementRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc.AdminProtocolServiceImplBase;
import org.apache.ratis.proto.grpc.RaftClientProtocolServiceGrpc.RaftClientProtocolServiceImplBase;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.exceptions.AlreadyExistsException;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.NetUtils;
import org.jspecify.annotations.Nullable;

/**
 * Something that listens at the address of a member, and counts. It answers each question with an outcome, or if there is
 * none, with an error. It is part of no group, but says that it exists already if it is told one.
 */
final class FakeMember implements AutoCloseable {
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger questions = new AtomicInteger();
    private final Server server;

    FakeMember(String address, Supplier<@Nullable Outcome> outcomes) throws IOException {
        SocketAddress socket = NetUtils.createSocketAddr(address);
        server = NettyServerBuilder.forAddress(socket)
                .addTransportFilter(new ServerTransportFilter() {
                    @Override
                    public Attributes transportReady(Attributes attributes) {
                        connections.incrementAndGet();
                        return attributes;
                    }
                })
                .addService(new RaftClientProtocolServiceImplBase() {
                    @Override
                    public StreamObserver<RaftClientRequestProto> unordered(
                            StreamObserver<RaftClientReplyProto> answers) {
                        return new Questions(answers, outcomes);
                    }
                })
                .addService(new AdminProtocolServiceImplBase() {
                    @Override
                    public void groupList(GroupListRequestProto request, StreamObserver<GroupListReplyProto> answer) {
                        answer.onNext(ClientProtoUtils.toGroupListReplyProto(
                                new GroupListReply(ClientProtoUtils.toGroupListRequest(request), List.of())));
                        answer.onCompleted();
                    }

                    @Override
                    public void groupManagement(
                            GroupManagementRequestProto request, StreamObserver<RaftClientReplyProto> answer) {
                        answer.onError(GrpcUtil.wrapException(new AlreadyExistsException("told before")));
                    }
                })
                .build()
                .start();
    }

    private final class Questions implements StreamObserver<RaftClientRequestProto> {
        private final StreamObserver<RaftClientReplyProto> answers;
        private final Supplier<@Nullable Outcome> outcomes;

        private Questions(StreamObserver<RaftClientReplyProto> answers, Supplier<@Nullable Outcome> outcomes) {
            this.answers = answers;
            this.outcomes = outcomes;
        }

        @Override
        public void onNext(RaftClientRequestProto question) {
            questions.incrementAndGet();
            Outcome outcome = outcomes.get();
            if (outcome == null) {
                answers.onError(Status.INTERNAL.asRuntimeException());
                return;
            }
            answers.onNext(ClientProtoUtils.toRaftClientReplyProto(RaftClientReply.newBuilder()
                    .setRequest(ClientProtoUtils.toRaftClientRequest(question))
                    .setSuccess()
                    .setMessage(Outcome.toMessage(List.of(outcome)))
                    .build()));
        }

        @Override
        public void onError(Throwable e) {}

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    /** Returns how many connections were made to it. */
    int connections() {
        return connections.get();
    }

    /** Returns how many questions were asked, as {@link FleetClient#ask} and {@link FleetClient#send} do. */
    int questions() {
        return questions.get();
    }

    @Override
    public void close() {
        try {
            server.shutdownNow().awaitTermination();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
