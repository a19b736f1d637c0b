package io.github.hotpath.files;

import com.google.common.collect.Iterators;
import io.github.hotpath.files.Dirs.PathOperation;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file system that passes the calls that {@link Dirs} may make on to another one, counts them, and lets another process
 * act around each. All other calls are an {@link AssertionError}, of the provider (nothing is opened, deleted, copied or
 * moved) as of its paths (nothing is made absolute, normalized, relative or real). For one thread.
 */
final class WatchedFileSystem extends FileSystem {
    /** A method of a provider; CHECK reads attributes, following links, and CHECK_LINK those of a link itself. */
    enum Call {
        CHECK,
        CHECK_LINK,
        ACCESS,
        CREATE_DIRECTORY,
        OPEN_DIRECTORY,
        NEXT_ENTRY
    }

    /** Another process, which acts on the file system inside. */
    interface Foreigner {
        /** Acts before a call is passed on; what is thrown here is the result of the call. */
        void before(Call call, Path path) throws IOException;
    }

    private final FileSystem inside;
    private final FileSystemProvider provider = new Provider(this);

    /** How often each call was made; calls that were not made are not in it. */
    final Map<Call, Integer> counts = new EnumMap<>(Call.class);

    /** What attempts to create a directory have thrown, oldest first. */
    final List<Exception> failures = new ArrayList<>();

    /** How many directories have been opened for listing and not been closed. */
    int openDirectories;

    /** Whether paths may be made absolute and relative, as the JDK's createDirectories makes them. */
    boolean isLenient;

    Foreigner foreigner = (call, path) -> {};

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

    /** Acts before each call of that kind for that path. */
    void atEach(Call call, Path watched, Foreigner act) {
        foreigner = (made, path) -> {
            if (made == call && path.equals(unwrap(watched))) {
                act.before(call, path);
            }
        };
    }

    /** Throws {@code failure} in place of a call: of the next of that kind, or of a later one. */
    void failOnceAt(Call call, int number, Exception failure) {
        counts.clear();
        foreigner = (made, path) -> {
            if (made == call && count(call) == number) {
                Failures.throwAny(failure);
            }
        };
    }

    int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    Path wrap(Path path) {
        return (Path) Proxy.newProxyInstance(
                WatchedFileSystem.class.getClassLoader(), new Class<?>[] {Path.class}, new Watch(this, path));
    }

    static Path unwrap(Path path) {
        return ((Watch) Proxy.getInvocationHandler(path)).inside;
    }

    private <T> T pass(Call call, Path path, PathOperation<T> operation) throws IOException {
        counts.merge(call, 1, Integer::sum);
        if (failures.size() > 1_000) {
            throw new AssertionError("no end of attempts");
        }
        try {
            foreigner.before(call, path);
            return operation.apply(path);
        } catch (IOException | RuntimeException failed) {
            if (call == Call.CREATE_DIRECTORY) {
                failures.add(failed);
            }
            throw failed;
        }
    }

    private Path nextEntry(Path entry) {
        try {
            return pass(Call.NEXT_ENTRY, entry, this::wrap);
        } catch (IOException failed) {
            throw new DirectoryIteratorException(failed);
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
            Call call = options.length == 0 ? Call.CHECK : Call.CHECK_LINK;
            return fileSystem.pass(call, unwrap(path), inside -> Files.readAttributes(inside, type, options));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            fileSystem.pass(Call.ACCESS, unwrap(path), inside -> {
                inside.getFileSystem().provider().checkAccess(inside, modes);
                return inside;
            });
        }

        @Override
        public void createDirectory(Path dir, FileAttribute<?>... attrs) throws IOException {
            fileSystem.pass(Call.CREATE_DIRECTORY, unwrap(dir), inside -> Files.createDirectory(inside, attrs));
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path dir, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            DirectoryStream<Path> inside = fileSystem.pass(Call.OPEN_DIRECTORY, unwrap(dir), Files::newDirectoryStream);
            fileSystem.openDirectories++;
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return Iterators.transform(inside.iterator(), fileSystem::nextEntry);
                }

                @Override
                public void close() throws IOException {
                    fileSystem.openDirectories--; // it is closed once
                    inside.close();
                }
            };
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs) {
            throw unexpected("newByteChannel");
        }

        @Override
        public boolean isSameFile(Path path, Path other) {
            throw unexpected("isSameFile");
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

    /** Passes the calls on a path on to the one inside, and wraps the paths that it returns. */
    private record Watch(WatchedFileSystem fileSystem, Path inside) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
            String name = method.getName();
            return switch (name) {
                case "getFileSystem" -> fileSystem;
                case "equals" -> Proxy.isProxyClass(args[0].getClass()) && inside.equals(unwrap((Path) args[0]));
                case "normalize", "register", "toRealPath" -> throw unexpected(name);
                case "toAbsolutePath", "relativize" -> {
                    if (!fileSystem.isLenient) {
                        throw unexpected(name);
                    }
                    yield onInside(method, args);
                }
                default ->
                    method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, args) : onInside(method, args);
            };
        }

        private @Nullable Object onInside(Method method, Object @Nullable [] args) throws Throwable {
            Object[] unwrapped = args == null
                    ? new Object[0]
                    : Arrays.stream(args)
                            .map(arg -> arg instanceof Path path ? unwrap(path) : arg)
                            .toArray();
            try {
                Object result = method.invoke(inside, unwrapped);
                return result instanceof Path path ? fileSystem.wrap(path) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
