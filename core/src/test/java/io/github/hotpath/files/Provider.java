package io.github.hotpath.files;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
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
    MEMORY_LINUX,
    MEMORY_MACOS,
    MEMORY_WINDOWS,
    ZIP,
    SFTP;

    /** Returns an empty directory on a file system of its own, or, on the real one, in {@code temp}. */
    Place open(Path temp) throws IOException {
        FileSystem fileSystem = switch (this) {
            case REAL -> temp.getFileSystem();
            case JIMFS_UNIX -> Jimfs.newFileSystem(withPermissions(Configuration.unix()));
            case JIMFS_OSX -> Jimfs.newFileSystem(withPermissions(Configuration.osX()));
            case JIMFS_WINDOWS -> Jimfs.newFileSystem(Configuration.windows());
            case MEMORY_LINUX -> MemoryFileSystemBuilder.newLinux().build();
            case MEMORY_MACOS -> MemoryFileSystemBuilder.newMacOs().build();
            case MEMORY_WINDOWS -> MemoryFileSystemBuilder.newWindows().build();
            case ZIP -> zip(temp);
            case SFTP -> SftpServer.FILE_SYSTEM;
        };
        Path workingDirectory = switch (this) {
            case REAL -> temp.toRealPath();
            case SFTP -> fileSystem.getPath(temp.toRealPath().toUri().getPath()); // on Windows "/C:/..."
            default -> fileSystem.getPath("").toAbsolutePath().normalize();
        };
        return new Place(this, Files.createDirectory(workingDirectory.resolve("place")));
    }

    private static FileSystem zip(Path temp) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("jar:" + temp.resolve("place.zip").toUri()),
                Map.of("create", "true", "enablePosixFileAttributes", true));
    }

    private static Configuration withPermissions(Configuration configuration) {
        return configuration.toBuilder().setAttributeViews("basic", "posix").build();
    }
}
