package io.github.hotpath.files;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.util.List;
import java.util.Map;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.file.nativefs.NativeFileSystemFactory;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.password.AcceptAllPasswordAuthenticator;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.sftp.SftpModuleProperties;
import org.apache.sshd.sftp.client.fs.SftpFileSystemProvider;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** A server of this machine's files in the JVM of the tests, on the loopback interface, started when this class is used. */
final class SftpServer {
    /** A busy machine may need more than the 15 seconds that are usual. */
    private static final Map<String, ?> PATIENCE = Map.of(
            SftpModuleProperties.CONNECT_TIME.getName(), 60_000L,
            SftpModuleProperties.AUTH_TIME.getName(), 60_000L,
            SftpModuleProperties.SFTP_CHANNEL_OPEN_TIMEOUT.getName(), 60_000L);

    /** The file system of a client, which all tests share. */
    static final FileSystem FILE_SYSTEM = connect();

    private SftpServer() {}

    private static FileSystem connect() {
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        SimpleGeneratorHostKeyProvider keys = new SimpleGeneratorHostKeyProvider();
        keys.setAlgorithm(KeyUtils.EC_ALGORITHM);
        server.setKeyPairProvider(keys);
        server.setPasswordAuthenticator(AcceptAllPasswordAuthenticator.INSTANCE);
        server.setFileSystemFactory(NativeFileSystemFactory.INSTANCE);
        server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
        try {
            server.start();
            return new SftpFileSystemProvider()
                    .newFileSystem(
                            SftpFileSystemProvider.createFileSystemURI("127.0.0.1", server.getPort(), "user", "pass"),
                            PATIENCE);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
