package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes tables of the results into pages, each where two marks with its name are: {@code <!-- table record -->} and
 * {@code <!-- end -->}; {@code <!-- table record jdk25 -->} has the results of one JDK alone. The pages are those in a
 * directory, and the one beside it that is called as it is. The results are in {@link Results#RAW} in this directory.
 *
 * <pre>mvn -q compile exec:java -Ptools -pl examples/benchmarks -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.benchmarks.Tables -Dexec.args=docs/performance</pre>
 */
final class Tables {
    private static final Pattern PLACE =
            Pattern.compile("(<!-- table (\\S+)(?: jdk(\\d+))? -->\\R).*?(<!-- end -->)", Pattern.DOTALL);

    private Tables() {}

    public static void main(String[] args) throws IOException {
        int status = run(System.err, args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Does what {@code args} say and returns the exit status. */
    static int run(PrintStream err, String... args) throws IOException {
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0], Results.RAW))) {
            err.println("Tables: " + String.join(" ", args) + ": not one directory with results in " + Results.RAW
                    + "; usage: Tables DIR");
            return 2;
        }
        Path dir = Path.of(args[0]);
        for (Path page : pages(dir)) {
            fill(page, dir.resolve(Results.RAW));
        }
        return 0;
    }

    /** Returns the pages in {@code dir}, and the one beside it that is called as it is, if there is one. */
    static List<Path> pages(Path dir) throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return Stream.concat(Stream.of(dir.resolveSibling(dir.getFileName() + ".md")), files.sorted())
                    .filter(page -> page.toString().endsWith(".md") && Files.isRegularFile(page))
                    .toList();
        }
    }

    private static void fill(Path page, Path results) throws IOException {
        StringBuilder filled = new StringBuilder();
        Matcher places = PLACE.matcher(Files.readString(page));
        while (places.find()) {
            TableOf table =
                    TableOf.valueOf(places.group(2).toUpperCase(Locale.ROOT).replace('-', '_'));
            String jdk = places.group(3);
            MarkdownTable read = jdk == null ? table.read(results) : table.read(results, Integer.parseInt(jdk));
            places.appendReplacement(filled, Matcher.quoteReplacement(places.group(1) + read + places.group(4)));
        }
        places.appendTail(filled);
        Files.writeString(page, filled);
    }
}
