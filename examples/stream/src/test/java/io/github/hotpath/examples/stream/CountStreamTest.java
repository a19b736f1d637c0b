package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.support.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class CountStreamTest {
    @Test
    void main_fewEvents_resultsAreTheSameAndNothingIsLeft(@TempDir Path dir) throws Exception {
        List<String> options = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + dir);

        String printed = ChildJvm.run(ChildJvm.command(options, CountStream.class, "--events", 20_000), line -> {});

        assertThat(printed.lines())
                .anyMatch(line -> line.matches("EventWindow +[1-9][\\d,]+ +[\\d,]+"))
                .anyMatch(line -> line.matches("Flink's own window +[1-9][\\d,]+ +[\\d,]+"))
                .endsWith("The results are the same.");
        assertThat(dir).isEmptyDirectory();
    }
}
