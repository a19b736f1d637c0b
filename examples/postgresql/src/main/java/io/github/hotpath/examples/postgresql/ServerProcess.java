package io.github.hotpath.examples.postgresql;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.examples.support.Ports;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** An embedded PostgreSQL in a process of its own, on the loopback interface, with its files in a directory of its own. */
final class ServerProcess implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";

    private final Path dir;
    private final int port = Ports.free();
    private final Thread hook = new Thread(this::close);
    private @Nullable Process process;

    /** Installs a server that does not run yet; it waits for the disk, unless a setting says otherwise. */
    ServerProcess(String... settings) throws IOException {
        dir = Files.createTempDirectory("hotpath-");
        Runtime.getRuntime().addShutdownHook(hook);
        System.setProperty("ot.epg.working-dir", dir.resolve("programs").toString()); // or it would keep them
        EmbeddedPostgres.builder()
                .setDataDirectory(data())
                .setCleanDataDirectory(false)
                .setServerConfig("unix_socket_directories", "")
                .start()
                .close();
        configure("unix_socket_directories = ''", "lc_messages = 'C'", "max_connections = 300", "port = " + port);
        configure(settings);
    }

    /** Copies a server that does not run: the copy will be its standby, and synchronous if it is named as such. */
    ServerProcess(ServerProcess primary, String name, String... settings) throws IOException {
        dir = Files.createTempDirectory("hotpath-");
        Runtime.getRuntime().addShutdownHook(hook);
        try (Stream<Path> files = Files.walk(primary.dir)) {
            for (Path file : files.toList()) {
                Path copy = dir.resolve(primary.dir.relativize(file).toString());
                if (!file.equals(primary.dir)) {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Files.createFile(data().resolve("standby.signal"));
        configure(
                "port = " + port,
                "primary_conninfo = 'host=127.0.0.1 port=" + primary.port + " user=postgres application_name=" + name
                        + "'");
        configure(settings);
    }

    private Path data() {
        return dir.resolve("data");
    }

    /** Adds lines to the configuration. */
    void configure(String... lines) throws IOException {
        Files.write(data().resolve("postgresql.conf"), List.of(lines), StandardOpenOption.APPEND);
    }

    /** Starts the server, also again after it was killed, and waits until it is ready. */
    ServerProcess start() throws IOException {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) { // for root, whom it refuses
            command.addAll(List.of("unshare", "-U"));
        }
        try (Stream<Path> programs = Files.walk(dir.resolve("programs"))) {
            programs.filter(program -> program.toString().matches(".*bin.postgres(\\.exe)?"))
                    .forEach(program -> command.add(program.toString()));
        }
        command.addAll(List.of("-D", data().toString()));
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        process = started;
        BufferedReader log = started.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            lines.add(line);
            if (line.contains("ready to accept")) {
                Thread reader = new Thread(() -> log.lines().forEach(ignored -> {}), "log of a server"); // it goes on
                reader.setUncaughtExceptionHandler((thread, killed) -> {});
                reader.setDaemon(true);
                reader.start();
                return this;
            }
        }
        throw new IOException(command + " has ended: " + lines);
    }

    /** Returns the URL of whichever of the two servers is the primary. */
    String url(ServerProcess other) {
        return "jdbc:postgresql://" + ADDRESS + ":" + port + "," + ADDRESS + ":" + other.port
                + "/postgres?user=postgres&targetServerType=primary";
    }

    String url() {
        return "jdbc:postgresql://" + ADDRESS + ":" + port + "/postgres?user=postgres";
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url());
        return database;
    }

    int port() {
        return port;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number that a query finds. */
    long number(String query) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Kills the server, as {@code kill -9} does. */
    void kill() {
        Process running = process;
        if (running != null) {
            List<ProcessHandle> sessions = running.descendants().toList();
            running.destroyForcibly().onExit().join();
            sessions.forEach(ProcessHandle::destroyForcibly); // which takes them a moment otherwise
            sessions.forEach(session -> session.onExit().join());
        }
    }

    @Override
    public void close() {
        kill();
        try {
            if (Files.exists(dir)) {
                MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE);
            }
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            // The JVM ends, and this is the hook.
        }
    }
}
