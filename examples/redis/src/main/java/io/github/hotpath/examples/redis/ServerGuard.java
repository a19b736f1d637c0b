package io.github.hotpath.examples.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Ends a server, and deletes a directory, when the process that has started it has ended, even by {@code kill -9}. */
final class ServerGuard {
    private ServerGuard() {}

    static ChildJvm start(ServerProcess server, Path dir) throws IOException {
        return new ChildJvm(ServerGuard.class, List.of(Long.toString(server.pid()), dir.toString()));
    }

    /** Waits until the standard input ends. */
    public static void main(String[] args) throws IOException {
        System.in.read();
        ProcessHandle.of(Long.parseLong(args[0])).ifPresent(server -> {
            server.destroyForcibly();
            server.onExit().join();
        });
        ServerProcess.delete(Path.of(args[1]));
    }
}
