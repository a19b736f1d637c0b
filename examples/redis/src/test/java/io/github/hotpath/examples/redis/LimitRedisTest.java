package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.hotpath.examples.support.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("redis")
@Timeout(600)
class LimitRedisTest {
    @Test
    void main_isExactAndNothingIsLeft(@TempDir Path dir) throws Exception {
        List<String> options =
                List.of("-Djava.io.tmpdir=" + dir, "-Dredis.server=" + System.getProperty("redis.server", ""));

        String printed = ChildJvm.run(ChildJvm.command(options, LimitRedis.class, "--seconds", 1), line -> {});

        assertThat(printed).contains("PING", "granted", "refused");
        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void main_serverThatDoesNotStart_nothingIsLeft(@TempDir Path dir) {
        List<String> options = List.of("-Djava.io.tmpdir=" + dir, "-Dredis.server=" + dir.resolve("none"));

        assertThatIOException()
                .isThrownBy(() -> ChildJvm.run(ChildJvm.command(options, LimitRedis.class), line -> {}))
                .withMessageContaining("exit status 1");

        assertThat(dir).isEmptyDirectory();
    }
}
