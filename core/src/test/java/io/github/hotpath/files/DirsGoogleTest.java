package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link Dirs} on Google's provider, in memory. Its seventy jars are on the class path of this test alone, so it is found
 * by name. It takes a name for a directory if it ends with a slash, whether or not there is one.
 */
@Tag("google")
class DirsGoogleTest {
    @ParameterizedTest
    @ValueSource(strings = {"/a", "/a/", "/a/b/c", "/a/b/c/", "a", "a/b/", "/", "/file", "/file/x", "/file/x/"})
    void ensure_succeedsWhereCreateDirectoriesDoes(String name) throws Exception {
        boolean isDirectory = Files.isDirectory(Files.createDirectories(withFile(name)));

        Path path = withFile(name); // of an empty file system again
        assertThat(Dirs.ensure(path)).isSameAs(path);
        assertThat(Files.isDirectory(path)).isEqualTo(isDirectory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "/a/", "a", "a/", "/"})
    void entries_areThoseOfAStream(String name) throws Exception {
        Path dir = withFile(name);
        Files.writeString(dir.resolve("b"), "text");
        List<Path> listed = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            stream.forEach(listed::add);
        }

        assertThat(Dirs.entries(dir))
                .extracting(Dirs.Entry::path)
                .isEqualTo(listed)
                .isNotEmpty();
    }

    /** Returns a path of a file system of its own, in which {@code /file} is a file. */
    private static Path withFile(String name) throws ReflectiveOperationException, IOException {
        String nio = "com.google.cloud.storage.contrib.nio.";
        Class<?> configuration = Class.forName(nio + "CloudStorageConfiguration");
        Class<?> options = Class.forName("com.google.cloud.storage.StorageOptions");
        Object inMemory = Class.forName(nio + "testing.LocalStorageHelper")
                .getMethod("getOptions")
                .invoke(null);
        FileSystem fileSystem = (FileSystem) Class.forName(nio + "CloudStorageFileSystem")
                .getMethod("forBucket", String.class, configuration, options)
                .invoke(null, "bucket", configuration.getField("DEFAULT").get(null), inMemory);
        Files.writeString(fileSystem.getPath("/file"), "text");
        return fileSystem.getPath(name);
    }
}
