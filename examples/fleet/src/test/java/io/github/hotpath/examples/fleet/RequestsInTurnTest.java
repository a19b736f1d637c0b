package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class RequestsInTurnTest {
    private final RequestsInTurn inTurn = new RequestsInTurn();

    /** Two connections of a leader, or of two leaders. */
    @Test
    void onMessage_oneOfALeaderIsBeingHandled_waits() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ServerCall.Listener<Object> first = listener(RaftServerProtocolServiceGrpc.getAppendEntriesMethod(), call -> {
            entered.countDown();
            leave.await();
        });
        CompletableFuture<Void> handled = new CompletableFuture<>();
        ServerCall.Listener<Object> second =
                listener(RaftServerProtocolServiceGrpc.getInstallSnapshotMethod(), call -> handled.complete(null));
        ServerCall.Listener<Object> vote = listener(RaftServerProtocolServiceGrpc.getRequestVoteMethod(), call -> {});
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

    /** The parts of a snapshot are sent one behind the other; if one fails, the others are on their way. */
    @Test
    void onMessage_oneBeforeHasFailed_isDropped() {
        AtomicInteger handled = new AtomicInteger();
        ServerCall.Listener<Object> parts = listener(RaftServerProtocolServiceGrpc.getInstallSnapshotMethod(), call -> {
            if (handled.incrementAndGet() == 2) {
                call.close(Status.INTERNAL, new Metadata());
            }
        });
        for (int part = 0; part < 5; part++) {
            parts.onMessage(part);
        }

        assertThat(handled).hasValue(2);
    }

    private interface Handler {
        void handle(ServerCall<Object, Object> call) throws InterruptedException;
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
        return inTurn.interceptCall(call, new Metadata(), (started, headers) -> new ServerCall.Listener<Object>() {
            @Override
            public void onMessage(Object message) {
                try {
                    handler.handle(started);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }
}
