package io.github.hotpath.files;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The kinds of file systems on which {@link Dirs} is tested. */
enum Provider {
    REAL,
    JIMFS_UNIX,
    JIMFS_OSX,
    JIMFS_WINDOWS,
    ZIP;

    /** Returns an empty directory on a file system of its own, or, on the real one, in {@code temp}. */
    Place open(Path temp) throws IOException {
        FileSystem fileSystem = switch (this) {
            case REAL -> temp.getFileSystem();
            case JIMFS_UNIX -> Jimfs.newFileSystem(withPermissions(Configuration.unix()));
            case JIMFS_OSX -> Jimfs.newFileSystem(withPermissions(Configuration.osX()));
            case JIMFS_WINDOWS -> Jimfs.newFileSystem(Configuration.windows());
            case ZIP -> FileSystems.newFileSystem(zip(temp.resolve("place.zip")), ZIP_OPTIONS);
        };
        Path workingDirectory = this == REAL
                ? temp.toRealPath()
                : fileSystem.getPath("").toAbsolutePath().normalize();
        return new Place(this, Files.createDirectory(workingDirectory.resolve("place")));
    }

    private static final Map<String, ?> ZIP_OPTIONS = Map.of("create", "true", "enablePosixFileAttributes", true);

    private static URI zip(Path file) {
        return URI.create("jar:" + file.toUri());
    }

    private static Configuration withPermissions(Configuration configuration) {
        return configuration.toBuilder().setAttributeViews("basic", "posix").build();
    }
}
