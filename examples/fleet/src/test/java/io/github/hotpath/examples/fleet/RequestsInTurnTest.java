package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestsInTurnTest {
    private final RequestsInTurn inTurn = new RequestsInTurn();

    /** Two connections of a leader, or of two leaders. */
    @Test
    void onMessage_oneOfALeaderIsBeingHandled_waits() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ServerCall.Listener<Object> first = listener(RaftServerProtocolServiceGrpc.getAppendEntriesMethod(), () -> {
            entered.countDown();
            leave.await();
        });
        CompletableFuture<Void> handled = new CompletableFuture<>();
        ServerCall.Listener<Object> second =
                listener(RaftServerProtocolServiceGrpc.getInstallSnapshotMethod(), () -> handled.complete(null));
        ServerCall.Listener<Object> vote = listener(RaftServerProtocolServiceGrpc.getRequestVoteMethod(), () -> {});
        Thread one = new Thread(() -> first.onMessage("entries"));
        one.start();
        entered.await();
        Thread other = new Thread(() -> second.onMessage("snapshot"));
        other.start();
        while (other.getState() != Thread.State.BLOCKED) {
            assertThat(handled).isNotDone();
            Thread.onSpinWait();
        }
        vote.onMessage("vote"); // does not wait

        leave.countDown();
        handled.get();
        one.join();
        other.join();
    }

    private interface Handler {
        void handle() throws InterruptedException;
    }

    @SuppressWarnings("unchecked") // no message is read
    private ServerCall.Listener<Object> listener(MethodDescriptor<?, ?> method, Handler handler) {
        ServerCall<Object, Object> call = new ServerCall<>() {
            @Override
            public void request(int messages) {}

            @Override
            public void sendHeaders(Metadata headers) {}

            @Override
            public void sendMessage(Object message) {}

            @Override
            public void close(Status status, Metadata trailers) {}

            @Override
            public boolean isCancelled() {
                return false;
            }

            @Override
            public MethodDescriptor<Object, Object> getMethodDescriptor() {
                return (MethodDescriptor<Object, Object>) method;
            }
        };
        return inTurn.interceptCall(call, new Metadata(), (started, headers) -> new ServerCall.Listener<>() {
            @Override
            public void onMessage(Object message) {
                try {
                    handler.handle();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }
}
