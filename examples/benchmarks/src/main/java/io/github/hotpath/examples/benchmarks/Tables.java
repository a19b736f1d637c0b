package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes tables of the results into a page, each where two marks with its name are: {@code <!-- table record -->} and
 * {@code <!-- end -->}. The results lie in a directory beside the page, which is called as it is.
 *
 * <pre>mvn -q compile exec:java -pl examples/benchmarks -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.benchmarks.Tables -Dexec.args=docs/performance.md</pre>
 */
final class Tables {
    private static final Pattern PLACE = Pattern.compile("(<!-- table (\\S+) -->\\R).*?(<!-- end -->)", Pattern.DOTALL);

    private Tables() {}

    public static void main(String[] args) throws IOException {
        int status = run(System.err, args);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Does what {@code args} say and returns the exit status. */
    static int run(PrintStream err, String... args) throws IOException {
        if (args.length != 1 || !args[0].endsWith(".md") || !Files.isRegularFile(Path.of(args[0]))) {
            err.println("Tables: " + String.join(" ", args) + ": not one page; usage: Tables PAGE.md");
            return 2;
        }
        fill(Path.of(args[0]), Path.of(args[0].replaceAll("[.]md$", "")));
        return 0;
    }

    private static void fill(Path page, Path results) throws IOException {
        StringBuilder filled = new StringBuilder();
        Matcher places = PLACE.matcher(Files.readString(page));
        while (places.find()) {
            String constant = places.group(2).toUpperCase(Locale.ROOT).replace('-', '_');
            String table = TableOf.valueOf(constant).read(results).toString();
            places.appendReplacement(filled, Matcher.quoteReplacement(places.group(1) + table + places.group(3)));
        }
        places.appendTail(filled);
        Files.writeString(page, filled);
    }
}
