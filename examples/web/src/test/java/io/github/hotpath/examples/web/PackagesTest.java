package io.github.hotpath.examples.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a package-info names is all that is needed to compile the package. */
class PackagesTest {
    private static final Path WEB = Path.of("src/main/java/io/github/hotpath/examples/web");

    @ParameterizedTest
    @ValueSource(strings = {"", "servlet", "webflux", "jaxrs", "grpc", "metrics"})
    void package_withTheFilesAndLibrariesItNames_compiles(String name, @TempDir Path classes) throws IOException {
        String info = Files.readString(WEB.resolve(name).resolve("package-info.java"));
        List<Path> sources = new ArrayList<>();
        for (String part : named(info, "Files")) {
            sources.addAll(sources(WEB.resolve(part.equals("this package") ? name : part.replace("web", ""))));
        }
        String path = named(info, "Dependencies").stream()
                .map(PackagesTest::jar)
                .collect(Collectors.joining(File.pathSeparator));
        JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler());
        StringWriter messages = new StringWriter();

        boolean isCompiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-proc:none", "-d", classes.toString(), "-classpath", path),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjectsFromPaths(sources))
                .call();

        assertThat(isCompiled).as(messages.toString()).isTrue();
    }

    private static List<String> named(String info, String what) {
        Matcher found =
                Pattern.compile("<p>" + what + ": (.+?)\\.\n", Pattern.DOTALL).matcher(info);
        assertThat(found.find()).isTrue();
        return List.of(found.group(1).replace("\n *", "").split(", +"));
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String jar(String artifact) {
        Pattern name = Pattern.compile(".*/" + artifact + "-\\d[^/]*\\.jar");
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> name.matcher(entry).matches()
                        || artifact.equals("hotpath-core") && entry.contains("/core/target/"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not on the class path: " + artifact));
    }
}
