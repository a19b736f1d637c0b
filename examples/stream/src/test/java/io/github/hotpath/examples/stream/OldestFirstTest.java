package io.github.hotpath.examples.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;

class OldestFirstTest {
    private final OldestFirst files = new OldestFirst(List.of());

    private static FileSourceSplit file(String name, long modified) {
        return new FileSourceSplit(name, new Path("file:/events/" + name), 0, 10, modified, 10);
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (var next = files.getNext("host"); next.isPresent(); next = files.getNext(null)) {
            names.add(next.get().splitId());
        }
        return names;
    }

    @Test
    void getNext_filesInAnyOrder_oldestFirstThenByName() {
        files.addSplits(List.of(file("d", 3), file("c", 2), file("a", 3)));
        files.addSplits(List.of(file("z", 1), file("b", 2)));

        assertThat(files.remainingSplits()).hasSize(5);
        assertThat(names()).containsExactly("z", "b", "c", "a", "d");
        assertThat(files.remainingSplits()).isEmpty();
    }

    /** A reader has failed: what it had not read is older than the rest. */
    @Test
    void getNext_fileThatWasGivenBack_comesFirst() {
        files.addSplits(List.of(file("a", 1), file("b", 2), file("c", 3)));
        FileSourceSplit first = files.getNext(null).orElseThrow();
        files.getNext(null);

        files.addSplits(List.of(first));

        assertThat(names()).containsExactly("a", "c");
    }
}
