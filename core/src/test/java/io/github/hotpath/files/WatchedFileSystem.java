package io.github.hotpath.files;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file system that passes every call on to another one, counts them, and lets another process act around each.
 *
 * <p>It knows the calls that {@link Dirs} may make. All others are an {@link AssertionError}, on the provider (nothing
 * is deleted, copied or moved) as on its paths (nothing is made absolute, normalized or relative). For one thread.
 */
class WatchedFileSystem extends FileSystem {
    /** A method of a provider. */
    enum Call {
        /** Attributes, following symbolic links: as {@link Files#isDirectory} reads them. */
        CHECK,
        /** Attributes, not following symbolic links. */
        CHECK_LINK,
        /** What {@link Files#exists} calls. */
        ACCESS,
        /** What {@link Files#isWritable} calls. */
        WRITE_ACCESS,
        CREATE_DIRECTORY,
        OPEN_DIRECTORY,
        NEXT_ENTRY,
        REAL_PATH,
        OPEN_FILE
    }

    /** Another process that uses the same file system. It is passed paths of the file system inside. */
    interface Foreigner {
        /** Acts before a call is passed on; an exception thrown here reaches the caller in place of a result. */
        void before(Call call, Path path) throws IOException;

        /** Acts when the call has returned. */
        default void after(Call call, Path path) throws IOException {}
    }

    /** A change that another process makes at the path of a call. */
    interface Deed {
        void perform(Path path) throws IOException;
    }

    /** More directories than any test makes. */
    private static final int ENOUGH = 1_000;

    private final FileSystem inside;
    private final FileSystemProvider provider = new Provider(this);
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private final Map<Call, List<Exception>> failures = new EnumMap<>(Call.class);
    private Foreigner foreigner = (call, path) -> {};
    private int openDirectories;
    private boolean lenient;

    WatchedFileSystem(FileSystem inside) {
        this.inside = inside;
    }

    /** Returns a path of a new watched file system around that of {@code path}. */
    static Path watch(Path path) {
        return new WatchedFileSystem(path.getFileSystem()).wrap(path);
    }

    static WatchedFileSystem of(Path watched) {
        return (WatchedFileSystem) watched.getFileSystem();
    }

    /** Permits paths to be made absolute and relative, as the JDK's createDirectories makes them. */
    void beLenient() {
        lenient = true;
    }

    void setForeigner(Foreigner foreigner) {
        this.foreigner = foreigner;
    }

    /** Performs {@code deed} in place of, or before, each call of that kind for that path. */
    static void atEach(Call call, Path watched, Deed deed) {
        Path inside = unwrap(watched);
        of(watched).setForeigner((made, path) -> {
            if (made == call && path.equals(inside)) {
                deed.perform(path);
            }
        });
    }

    /** Returns how often each call was made; calls that were not made are not in it. */
    Map<Call, Integer> counts() {
        return counts;
    }

    int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    /** Returns what such calls have thrown, oldest first. */
    List<Exception> failures(Call call) {
        return failures.getOrDefault(call, List.of());
    }

    /** Returns how many directories have been opened for listing and not been closed. */
    int openDirectories() {
        return openDirectories;
    }

    /** Lists a directory of the file system inside. */
    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    DirectoryStream<Path> list(Path dir) throws IOException {
        return Files.newDirectoryStream(dir);
    }

    /** Reads attributes from the file system inside. */
    <A extends BasicFileAttributes> A read(Path path, Class<A> type, LinkOption... options) throws IOException {
        return Files.readAttributes(path, type, options);
    }

    Path wrap(Path path) {
        return new WatchedPath(this, path);
    }

    static Path unwrap(Path path) {
        if (!(path instanceof WatchedPath watched)) {
            throw new ProviderMismatchException();
        }
        return watched.inside;
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private <T> T pass(Call call, Path path, Question<T> question) throws IOException {
        int count = counts.merge(call, 1, Integer::sum);
        if (call == Call.CREATE_DIRECTORY && count > ENOUGH) {
            throw new AssertionError("no end of attempts");
        }
        try {
            foreigner.before(call, path);
            return question.ask();
        } catch (IOException | RuntimeException failed) {
            failures.computeIfAbsent(call, c -> new ArrayList<>()).add(failed);
            throw failed;
        } finally {
            foreigner.after(call, path);
        }
    }

    private static AssertionError unexpected(String call) {
        return new AssertionError("not to be called: " + call);
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() throws IOException {
        inside.close();
    }

    @Override
    public boolean isOpen() {
        return inside.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return inside.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return inside.getSeparator();
    }

    @Override
    public Path getPath(String first, String... more) {
        return wrap(inside.getPath(first, more));
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        throw unexpected("getRootDirectories");
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        throw unexpected("getFileStores");
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return inside.supportedFileAttributeViews();
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        throw unexpected("getPathMatcher");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw unexpected("getUserPrincipalLookupService");
    }

    @Override
    public WatchService newWatchService() {
        throw unexpected("newWatchService");
    }

    /** Public with this constructor, so that a JVM can be started with it in place of its own. */
    public static final class Provider extends FileSystemProvider {
        private final WatchedFileSystem fileSystem;

        public Provider(FileSystemProvider inPlaceOf) {
            this.fileSystem = new WatchedFileSystem(inPlaceOf.getFileSystem(URI.create("file:///")));
        }

        private Provider(WatchedFileSystem fileSystem) {
            this.fileSystem = fileSystem;
        }

        @Override
        public String getScheme() {
            return "file";
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return fileSystem;
        }

        @Override
        public Path getPath(URI uri) {
            return fileSystem.wrap(fileSystem.inside.provider().getPath(uri));
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            Path inside = unwrap(path);
            Call call = options.length == 0 ? Call.CHECK : Call.CHECK_LINK;
            return fileSystem.pass(call, inside, () -> fileSystem.read(inside, type, options));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            Path inside = unwrap(path);
            Call call = List.of(modes).contains(AccessMode.WRITE) ? Call.WRITE_ACCESS : Call.ACCESS;
            fileSystem.pass(call, inside, () -> {
                inside.getFileSystem().provider().checkAccess(inside, modes);
                return inside;
            });
        }

        @Override
        public void createDirectory(Path dir, FileAttribute<?>... attrs) throws IOException {
            Path inside = unwrap(dir);
            fileSystem.pass(Call.CREATE_DIRECTORY, inside, () -> Files.createDirectory(inside, attrs));
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path dir, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            Path inside = unwrap(dir);
            DirectoryStream<Path> stream = fileSystem.pass(Call.OPEN_DIRECTORY, inside, () -> fileSystem.list(inside));
            fileSystem.openDirectories++;
            return new WatchedStream(fileSystem, inside, stream);
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs) throws IOException {
            Path inside = unwrap(path);
            return fileSystem.pass(Call.OPEN_FILE, inside, () -> Files.newByteChannel(inside, options, attrs));
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return Files.isSameFile(unwrap(path), unwrap(other));
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
            throw unexpected("newFileSystem");
        }

        @Override
        public void delete(Path path) {
            throw unexpected("delete");
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) {
            throw unexpected("copy");
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) {
            throw unexpected("move");
        }

        @Override
        public boolean isHidden(Path path) {
            throw unexpected("isHidden");
        }

        @Override
        public FileStore getFileStore(Path path) {
            throw unexpected("getFileStore");
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            throw unexpected("getFileAttributeView");
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
            throw unexpected("readAttributes by name");
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
            throw unexpected("setAttribute");
        }
    }

    private static final class WatchedStream implements DirectoryStream<Path> {
        private final WatchedFileSystem fileSystem;
        private final Path dir;
        private final DirectoryStream<Path> inside;
        private boolean closed;

        WatchedStream(WatchedFileSystem fileSystem, Path dir, DirectoryStream<Path> inside) {
            this.fileSystem = fileSystem;
            this.dir = dir;
            this.inside = inside;
        }

        @Override
        public Iterator<Path> iterator() {
            Iterator<Path> entries = inside.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return entries.hasNext();
                }

                @Override
                public Path next() {
                    try {
                        return fileSystem.pass(Call.NEXT_ENTRY, dir, () -> fileSystem.wrap(entries.next()));
                    } catch (IOException failed) {
                        throw new DirectoryIteratorException(failed);
                    }
                }
            };
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                fileSystem.openDirectories--;
            }
            inside.close();
        }
    }

    private static final class WatchedPath implements Path {
        private final WatchedFileSystem fileSystem;
        private final Path inside;

        WatchedPath(WatchedFileSystem fileSystem, Path inside) {
            this.fileSystem = fileSystem;
            this.inside = inside;
        }

        @Override
        public FileSystem getFileSystem() {
            return fileSystem;
        }

        @Override
        public @Nullable Path getParent() {
            return wrap(inside.getParent());
        }

        @Override
        public @Nullable Path getFileName() {
            return wrap(inside.getFileName());
        }

        @Override
        public @Nullable Path getRoot() {
            return wrap(inside.getRoot());
        }

        @Override
        public Path getName(int index) {
            return fileSystem.wrap(inside.getName(index));
        }

        @Override
        public Path subpath(int beginIndex, int endIndex) {
            return fileSystem.wrap(inside.subpath(beginIndex, endIndex));
        }

        @Override
        public Path resolve(Path other) {
            return fileSystem.wrap(inside.resolve(unwrap(other)));
        }

        @Override
        public Path toRealPath(LinkOption... options) throws IOException {
            return fileSystem.wrap(fileSystem.pass(Call.REAL_PATH, inside, () -> inside.toRealPath(options)));
        }

        @Override
        public Path toAbsolutePath() {
            if (fileSystem.lenient) {
                return fileSystem.wrap(inside.toAbsolutePath());
            }
            throw unexpected("toAbsolutePath");
        }

        @Override
        public Path normalize() {
            throw unexpected("normalize");
        }

        @Override
        public Path relativize(Path other) {
            if (fileSystem.lenient) {
                return fileSystem.wrap(inside.relativize(unwrap(other)));
            }
            throw unexpected("relativize");
        }

        private @Nullable Path wrap(@Nullable Path path) {
            return path == null ? null : fileSystem.wrap(path);
        }

        @Override
        public boolean isAbsolute() {
            return inside.isAbsolute();
        }

        @Override
        public int getNameCount() {
            return inside.getNameCount();
        }

        @Override
        public boolean startsWith(Path other) {
            return inside.startsWith(unwrap(other));
        }

        @Override
        public boolean endsWith(Path other) {
            return inside.endsWith(unwrap(other));
        }

        @Override
        public URI toUri() {
            return inside.toUri();
        }

        @Override
        public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
            throw unexpected("register");
        }

        @Override
        public int compareTo(Path other) {
            return inside.compareTo(unwrap(other));
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WatchedPath that && inside.equals(that.inside);
        }

        @Override
        public int hashCode() {
            return inside.hashCode();
        }

        @Override
        public String toString() {
            return inside.toString();
        }
    }
}
