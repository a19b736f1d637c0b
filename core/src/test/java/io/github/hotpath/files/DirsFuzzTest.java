package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.github.hotpath.fuzz.Fuzz;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random trees of directories, files and links, in which {@link Dirs#ensure} is called again and again. */
@Tag("fuzz")
class DirsFuzzTest {
    private static final Provider[] PROVIDERS = {
        Provider.REAL, Provider.JIMFS_UNIX, Provider.JIMFS_OSX, Provider.JIMFS_WINDOWS
    };

    @TempDir(factory = InMemory.class)
    Path temp;

    @Test
    void ensure_inAnyTree_succeedsOrNamesTheObstacle() {
        Fuzz.run("Dirs", this::newCase);
    }

    private Fuzz.Case<Call> newCase(SplittableRandom random) {
        Provider provider = PROVIDERS[random.nextInt(PROVIDERS.length)];
        List<Call> calls = IntStream.range(0, 30)
                .mapToObj(
                        i -> new Call(Act.values()[random.nextInt(Act.values().length)], names(random), names(random)))
                .toList();
        return new Fuzz.Case<>("on " + provider, calls, some -> run(provider, some));
    }

    /** From one to four of three names: few, so that the same ones recur. */
    private static String names(SplittableRandom random) {
        StringBuilder names = new StringBuilder().append(name(random));
        for (int more = random.nextInt(4); more > 0; more--) {
            names.append('/').append(name(random));
        }
        return names.toString();
    }

    private static char name(SplittableRandom random) {
        return (char) ('a' + random.nextInt(3));
    }

    private void run(Provider provider, List<Call> calls) throws IOException {
        Path dir = Files.createTempDirectory(temp, "case");
        try (Place place = provider.open(dir)) {
            for (Call call : calls) {
                call.act.on(place, call);
            }
        } finally {
            MoreFiles.deleteRecursively(dir, RecursiveDeleteOption.ALLOW_INSECURE); // no other process uses it
        }
    }

    /** What is done to a tree, and where. */
    private record Call(Act act, String names, String target) {
        @Override
        public String toString() {
            return act + " " + names + (act == Act.LINK ? " -> " + target : "");
        }
    }

    private enum Act {
        ENSURE {
            @Override
            void on(Place place, Call call) throws IOException {
                Path dir = place.path(call.names);
                Optional<Path> obstacle = obstacle(place, call.names);
                List<String> before = place.tree();
                try {
                    assertThat(Dirs.ensure(dir)).isSameAs(dir);
                    assertThat(obstacle).isEmpty();
                    assertThat(Files.isDirectory(dir)).isTrue();
                    assertThat(place.tree()).containsAll(before);
                    assertThat(place.tree().stream().filter(line -> !before.contains(line)))
                            .allMatch(line -> line.endsWith("/"));
                } catch (FileSystemException e) {
                    assertThat(e.getFile()).isEqualTo(obstacle.orElseThrow().toString());
                    assertThat(e)
                            .isExactlyInstanceOf(
                                    obstacle.get().equals(dir)
                                            ? FileAlreadyExistsException.class
                                            : NotDirectoryException.class);
                    assertThat(place.tree()).isEqualTo(before);
                } catch (IOException linksInACircle) {
                    assertThat(place.provider()).isNotEqualTo(Provider.REAL); // jimfs has no better word for it
                    assertThat(obstacle).isPresent();
                    assertThat(place.tree()).isEqualTo(before);
                }
            }
        },
        FILE {
            @Override
            void on(Place place, Call call) {
                attempt(() -> place.file(call.names));
            }
        },
        LINK {
            @Override
            void on(Place place, Call call) {
                attempt(() -> Files.createSymbolicLink(place.path(call.names), place.path(call.target)));
            }
        },
        DELETE {
            @Override
            void on(Place place, Call call) {
                attempt(() -> Files.deleteIfExists(place.path(call.names)));
            }
        };

        abstract void on(Place place, Call call) throws IOException;

        /** The topmost existing name on the path that is no directory, following symbolic links. */
        private static Optional<Path> obstacle(Place place, String names) {
            List<Path> levels = new ArrayList<>();
            for (int end = names.indexOf('/'); end >= 0; end = names.indexOf('/', end + 1)) {
                levels.add(place.path(names.substring(0, end)));
            }
            levels.add(place.path(names));
            return levels.stream()
                    .filter(level -> Files.exists(level, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(level))
                    .findFirst();
        }

        /** Does what may be impossible in this tree. */
        private static void attempt(IoAction action) {
            try {
                action.run();
            } catch (IOException impossible) {
                // then the tree is as it was, or nearly
            }
        }
    }

    private interface IoAction {
        void run() throws IOException;
    }
}
