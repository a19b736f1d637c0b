package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.hotpath.testing.AtOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever the JDK's createDirectories succeeds, {@link Dirs} does, on every provider. */
@ParameterizedClass
@EnumSource(Provider.class)
class DirsProvidersTest extends ProviderTest {
    private static final int CREATORS = 8;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "there",
                "a",
                "there/a",
                "a/b",
                "there/a/b/c",
                "a/b/c/d/e",
                "a/.",
                "there/./a",
                "a/../b",
                "there/..",
                "there/../a/b",
                "there/file",
                "there/file/a"
            })
    void ensure_anyPath_succeedsIfTheJdkDoes(String names) throws IOException {
        assumeFalse(
                provider == Provider.SFTP && place.isWindows() && names.startsWith("a/.."),
                "an SFTP server that misses a, which Windows does not need");
        for (String way : List.of("jdk", "ensure", "ensureParent", "withParent")) {
            place.directory(way + "/there");
            place.file(way + "/there/file");
        }
        for (boolean relative : new boolean[] {false, true}) {
            Path byJdk = in("jdk", names, relative);
            Throwable refused = catchThrowable(() -> Files.createDirectories(byJdk));

            if (refused == null) {
                Path dir = in("ensure", names, relative);
                assertThat(Dirs.ensure(dir)).isSameAs(dir);
                assertThat(Files.isDirectory(dir)).isTrue();
                Dirs.ensureParent(in("ensureParent", names, relative).resolve("file"));
                assertThat(Files.isDirectory(in("ensureParent", names, relative)))
                        .isTrue();
                Path file = in("withParent", names, relative).resolve("new");
                Dirs.withParent(file, f -> Files.writeString(f, "content"));
                assertThat(Files.readString(file)).isEqualTo("content");
            } else {
                assertThat(catchThrowable(() -> Dirs.ensure(in("ensure", names, relative))))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    private Path in(String way, String names, boolean relative) throws IOException {
        return relative ? place.relative(way + "/" + names) : place.path(way + "/" + names);
    }

    /** log4j2, Jenkins and others lost this race (LOG4J2-3452, jenkinsci/jenkins#7027). */
    @Test
    void ensure_eightThreadsMakeTheSamePaths_allSucceed() throws IOException {
        assumeFalse(provider.name().startsWith("ZIP"), "zipfs loses what two threads make at once");
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        Phaser start = new Phaser(CREATORS);

        new AtOnce()
                .on(CREATORS, () -> {
                    for (int round = 0; round < 10; round++) {
                        start.arriveAndAwaitAdvance();
                        try {
                            Dirs.ensure(place.path("round" + round + "/x/x/x/x/x"));
                        } catch (IOException | RuntimeException e) {
                            failures.add(e);
                        }
                    }
                })
                .run();

        assertThat(failures).isEmpty();
        assertThat(place.tree()).hasSize(60);
    }
}
