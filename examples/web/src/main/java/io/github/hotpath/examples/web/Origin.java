package io.github.hotpath.examples.web;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the origin of a request, by HTTP or gRPC.
 *
 * @param address the other end of the connection: a client, or a proxy
 * @param forwardedFor the addresses in {@code X-Forwarded-For}, to which each proxy adds the one that it sees. A client
 *     may have sent any of them
 * @param login the name of the user who is logged in, or {@code null}
 */
record Origin(
        String address, List<String> forwardedFor, @Nullable String login) {
    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final Metadata.Key<String> FORWARDED_FOR_KEY =
            Metadata.Key.of(FORWARDED_FOR, Metadata.ASCII_STRING_MARSHALLER);

    static Origin of(HttpServletRequest request) {
        return new Origin(
                request.getRemoteAddr(),
                addresses(Collections.list(request.getHeaders(FORWARDED_FOR))),
                request.getRemoteUser());
    }

    static Origin of(ServerCall<?, ?> call, Metadata headers, @Nullable String login) {
        Iterable<String> fields = headers.getAll(FORWARDED_FOR_KEY);
        return new Origin(
                address(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)),
                fields == null ? List.of() : addresses(fields),
                login);
    }

    private static String address(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : String.valueOf(remote);
    }

    /** Several fields are one list, in the order in which they were sent. */
    private static List<String> addresses(Iterable<String> fields) {
        List<String> addresses = new ArrayList<>();
        for (String field : fields) {
            for (String address : field.split(",", -1)) {
                addresses.add(address.strip());
            }
        }
        return addresses;
    }

    /** Returns the same origin before somebody has logged in. */
    Origin withoutLogin() {
        return new Origin(address, forwardedFor, null);
    }
}
