package io.github.hotpath.examples.fleet;

import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Lets one request of a leader in at a time, and none after one that has failed on the same connection.
 *
 * <p>There are two connections for a moment when a leader connects again, or another one leads. If two of their requests
 * append to the log at once, one fails, and Ratis 3.2.0 waits for that one before any other, so the member would append
 * nothing any more. And if a part of a snapshot fails, Ratis counts each part behind it as not finished, for ever; such
 * a follower never stands for election.
 */
final class RequestsInTurn implements ServerInterceptor {
    private final Object turn = new Object();

    private static final class Call<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private volatile boolean closed;

        private Call(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            closed = true;
            super.close(status, trailers);
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getBareMethodName();
        if (!"appendEntries".equals(method) && !"installSnapshot".equals(method)) {
            return next.startCall(call, headers);
        }
        Call<Q, A> stream = new Call<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(stream, headers)) {
            @Override
            public void onMessage(Q message) {
                synchronized (turn) {
                    if (!stream.closed) {
                        super.onMessage(message);
                    }
                }
            }
        };
    }
}
