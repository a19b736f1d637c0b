package io.github.hotpath.examples.postgresql;

import io.github.hotpath.examples.support.Ports;
import io.github.hotpath.examples.support.ServerProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
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
import org.postgresql.ds.PGSimpleDataSource;

/** An embedded PostgreSQL on the loopback interface. */
final class PostgresServer implements AutoCloseable {
    private final ServerProcess process = new ServerProcess();
    private final Path dir = process.dir();
    private final int port = Ports.free();

    /** Installs a server that does not run yet; it waits for the disk, unless a setting says otherwise. */
    PostgresServer(String... settings) throws IOException {
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
    PostgresServer(PostgresServer primary, String name, String... settings) throws IOException {
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
    PostgresServer start() throws IOException {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) { // for root, whom it refuses
            command.addAll(List.of("unshare", "-U"));
        }
        try (Stream<Path> programs = Files.walk(dir.resolve("programs"))) {
            programs.filter(program -> program.toString().matches(".*bin.postgres(\\.exe)?"))
                    .forEach(program -> command.add(program.toString()));
        }
        command.addAll(List.of("-D", data().toString()));
        process.start(command, "ready to accept");
        return this;
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
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

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
