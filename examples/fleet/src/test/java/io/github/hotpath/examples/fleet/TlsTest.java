package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.limit.Limit;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that show certificates, and others that show none, or one that they do not trust. */
@Tag("fleet")
@Timeout(600)
class TlsTest {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final Limit LIMIT = Limit.of(1, Duration.ofHours(1));

    @TempDir
    private Path dir;

    private record Tls(KeyManager keys, X509TrustManager trust) {
        private FleetMembers of(FleetMembers members) {
            return members.withTls(keys, trust);
        }
    }

    private Tls tls(String name) throws Exception {
        Path store = dir.resolve(name);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(keys);
        return new Tls(keyManagers.getKeyManagers()[0], (X509TrustManager)
                trustManagers.getTrustManagers()[0]);
    }

    @Test
    void tryAcquire_overTls_servesMembersWithTheCertificateAlone() throws Exception {
        FleetMembers open = FleetMemberTest.members(3);
        Tls own = tls("fleet");
        FleetMembers members = own.of(open);
        List<FleetMember> started = new ArrayList<>();
        try {
            for (int number = 0; number < 3; number++) {
                Path log = dir.resolve("member-" + number);
                started.add(
                        FleetMember.create(members, members.dataMembers().get(number), log, FleetMemberTest.TIMEOUT));
            }
            FleetMember client = FleetMember.client(members, FleetMemberTest.TIMEOUT);
            started.add(client);
            assertThat(client.limiter("a", LIMIT).tryAcquire("a", 1)).isTrue();
            assertThat(started.get(0).limiter("a", LIMIT).tryAcquire("a", 1)).isFalse();

            Tls stranger = tls("stranger");
            Tls trusting = new Tls(stranger.keys, own.trust);
            for (FleetMembers wrong : List.of(open, stranger.of(open), trusting.of(open))) {
                FleetMember other = FleetMember.client(wrong, Duration.ofSeconds(1));
                started.add(other);
                assertThatExceptionOfType(OutcomeUnknownException.class)
                        .isThrownBy(() -> other.limiter("a", LIMIT).tryAcquire("b", 1));
            }
            assertThat(client.limiter("a", LIMIT).tryAcquire("b", 1)).isTrue();
        } finally {
            for (FleetMember member : started) {
                member.close();
            }
        }
    }
}
