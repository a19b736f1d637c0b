package io.github.hotpath.examples.fleet;

import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;

/**
 * Lets one request of a leader in at a time. There are two connections for a moment when a leader connects again, or
 * another one leads. If two of their requests append to the log at once, one fails, and Ratis 3.2.0 waits for that one
 * before any other, so the member would append nothing any more.
 */
final class RequestsInTurn implements ServerInterceptor {
    private final Object turn = new Object();

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall.Listener<Q> listener = next.startCall(call, headers);
        String method = call.getMethodDescriptor().getBareMethodName();
        if (!"appendEntries".equals(method) && !"installSnapshot".equals(method)) {
            return listener;
        }
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onMessage(Q message) {
                synchronized (turn) {
                    super.onMessage(message);
                }
            }
        };
    }
}
