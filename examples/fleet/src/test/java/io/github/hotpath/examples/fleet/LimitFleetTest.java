package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.support.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, which is ended in the middle. It runs to its end in .ci/run. */
@Tag("fleet")
@Timeout(600)
class LimitFleetTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void main_ended_leavesNoProcess(boolean forcibly) throws Exception {
        Process program = new ProcessBuilder(ChildJvm.command(List.of("-Djava.io.tmpdir=" + dir), LimitFleet.class))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Fleet.await(() -> program.descendants().count() == Fleet.DATA_MEMBERS, "members");
            List<ProcessHandle> members = program.descendants().toList();

            if (forcibly) {
                program.destroyForcibly();
            } else {
                program.destroy();
            }
            program.waitFor();

            Fleet.await(() -> members.stream().noneMatch(ProcessHandle::isAlive), "ends");
            assertThat(program.exitValue()).isNotZero();
        } finally {
            program.destroyForcibly();
        }
    }
}
