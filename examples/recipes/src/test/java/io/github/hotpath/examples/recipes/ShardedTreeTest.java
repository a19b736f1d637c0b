package io.github.hotpath.examples.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.recipes.WriteShards.Way;
import io.github.hotpath.files.Dirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardedTreeTest {
    private static final byte[] HELLO = "hello".getBytes(UTF_8);

    @TempDir
    private Path root;

    @ParameterizedTest
    @EnumSource
    void put_shardMissing_writtenUnderItsHash(Way way) throws IOException {
        ShardedTree tree = way.tree(root);

        String name = tree.put(HELLO);

        assertThat(name).isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        assertThat(root.resolve("2c/f2").resolve(name)).hasBinaryContent(HELLO);
    }

    @ParameterizedTest
    @EnumSource
    void deleteEmptyShards_fullAndEmpty_emptyOnesGoWithTheirParents(Way way) throws IOException {
        ShardedTree tree = way.tree(root);
        String name = tree.put(HELLO);
        Files.createDirectories(root.resolve("2c/00"));
        Files.createDirectories(root.resolve("00/00"));
        Path stray = Files.createFile(root.resolve("2c/stray"));

        assertThat(tree.deleteEmptyShards()).isEqualTo(3);

        assertThat(root).isDirectoryNotContaining("glob:**/00");
        assertThat(root.resolve("2c")).isDirectoryNotContaining("glob:**/00");
        assertThat(tree.file(name)).exists();
        assertThat(stray).exists();
    }

    @ParameterizedTest
    @EnumSource
    void put_shardDeletedSince_writtenAgain(Way way) throws IOException {
        ShardedTree tree = way.tree(root);
        Files.delete(tree.file(tree.put(HELLO)));
        assertThat(tree.deleteEmptyShards()).isEqualTo(2);

        String name = tree.put(HELLO);

        assertThat(tree.file(name)).hasBinaryContent(HELLO);
    }

    /** Each file is written, removed and written again, so that shards become empty all the time. */
    @ParameterizedTest
    @EnumSource
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "what is just being deleted or made is denied there to others")
    void put_manyThreadsAndACleaner_everyFileReportedIsThere(Way way) throws Exception {
        ShardedTree tree = way.tree(root);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        AtomicBoolean writing = new AtomicBoolean(true);
        Future<Long> cleaner = threads.submit(() -> {
            long deleted = 0;
            while (writing.get() || deleted == 0) {
                deleted += tree.deleteEmptyShards();
            }
            return deleted;
        });
        List<String> names = new ArrayList<>();
        try {
            for (Future<List<String>> written : threads.invokeAll(List.of(writer(tree, "one"), writer(tree, "two")))) {
                names.addAll(written.get());
            }
        } finally {
            Dirs.ensure(root.resolve("empty/shard")); // so that the cleaner surely has something to do
            writing.set(false);
            threads.shutdown();
        }

        assertThat(cleaner.get()).isPositive();
        assertThat(names)
                .hasSize(1000)
                .allSatisfy(name -> assertThat(tree.file(name)).isNotEmptyFile());
    }

    private static Callable<List<String>> writer(ShardedTree tree, String prefix) {
        return () -> {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                byte[] content = (prefix + i).getBytes(UTF_8);
                Files.delete(tree.file(tree.put(content)));
                names.add(tree.put(content));
            }
            return names;
        };
    }
}
