package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFolderTest {
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]*)\"");

    @TempDir
    private Path dir;

    private Path index;

    @BeforeEach
    void write() throws IOException {
        index = new ProfileFolder(dir, Recorded.profiles()).write(new IndexPage("title"));
    }

    @Test
    void write_index_linksToEachOtherFile() throws IOException {
        assertThat(links(index))
                .hasSize(4 * 3 + 3 * 3)
                .doesNotHaveDuplicates()
                .allSatisfy(link -> assertThat(dir.resolve(link)).isNotEmptyFile());
        assertThat(files()).hasSize(links(index).size() + 1).contains(index);
    }

    @Test
    void write_stage_itsStacksAndTheirFlameGraph() throws IOException {
        assertThat(dir.resolve("trimmed.collapsed"))
                .hasContent(String.join(
                        "\n", Recorded.profiles().get(Stage.TRIMMED).stacks().lines()));
        assertThat(dir.resolve("trimmed.svg"))
                .content()
                .contains("The loop of trimmed", ">20.0 % TrimmedWindow.record<", "80.0 % Files.createDirectories")
                .doesNotContain("SweptWindow");
        assertThat(dir.resolve("trimmed.html"))
                .content()
                .contains("<h1>trimmed</h1>", "TrimmedWindow.record", "mkdir0")
                .doesNotContain("SweptWindow");
    }

    @Test
    void write_step_bothSidesWithTheirOwnFrames() {
        assertThat(dir.resolve("original-to-trimmed-gone.html"))
                .content()
                .contains("<h1>original compared with trimmed</h1>", "SweptWindow.record", "maxdiff = ")
                .doesNotContain("TrimmedWindow", "maxdiff = -1");
        assertThat(dir.resolve("original-to-trimmed.svg"))
                .content()
                .contains("SweptWindow.record", "not in trimmed")
                .doesNotContain("TrimmedWindow");
        assertThat(dir.resolve("original-to-trimmed-new.html"))
                .content()
                .contains("<h1>trimmed compared with original</h1>", "TrimmedWindow.record")
                .doesNotContain("SweptWindow", "maxdiff = -1");
    }

    @Test
    void write_again_overwritesItsFilesAlone() throws IOException {
        Path other = Files.createFile(dir.resolve("other"));

        new ProfileFolder(dir, Recorded.profiles()).write(new IndexPage("second"));

        assertThat(index).content().contains("<h1>second</h1>");
        assertThat(other).isEmptyFile();
        assertThat(files()).hasSize(4 * 3 + 3 * 3 + 2);
    }

    static List<String> links(Path index) throws IOException {
        return LINK.matcher(Files.readString(index))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }
}
