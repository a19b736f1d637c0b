package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, which is ended in the middle. It runs to its end in .ci/run. */
@Tag("redis")
@Timeout(120)
class LimitRedisTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void main_ended_leavesNoProcessAndNoFile(boolean forcibly, @TempDir Path dir) throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Djava.io.tmpdir=" + dir,
                        "-Dredis.server=" + ServerProcess.chosenProgram(),
                        LimitRedis.class.getName())
                .start();
        try (BufferedReader lines = program.inputReader()) {
            String line = lines.readLine();
            while (!line.startsWith("Redisson")) {
                line = lines.readLine();
            }
            List<ProcessHandle> children = program.descendants().toList();
            assertThat(children).hasSize(5); // the server, its guard, and three processes with callers

            if (forcibly) {
                program.destroyForcibly();
            } else {
                program.destroy();
            }

            for (ProcessHandle child : children) {
                child.onExit().get(60, TimeUnit.SECONDS);
            }
            assertThat(program.waitFor()).isNotZero();
            assertThat(dir).isEmptyDirectory();
        } finally {
            program.destroyForcibly();
        }
    }
}
