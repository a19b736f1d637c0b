package io.github.hotpath.examples.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes tables into the pages, each between {@code <!-- table NAME jdkN -->} and {@code <!-- end -->}, and pictures
 * beside them, from the results in {@link Results#RAW} in the pages' directory.
 */
final class Pages {
    private static final Pattern PLACE =
            Pattern.compile("(<!-- table (\\S+)(?: jdk(\\d+))? -->\\R).*?(<!-- end -->)", Pattern.DOTALL);

    private Pages() {}

    /** Writes tables and pictures; the pages are those in {@code dir}, one beside it that is called as it is, the readme. */
    static void write(Path dir) throws IOException {
        for (Path page : pages(dir)) {
            String text = Files.readString(page);
            String filled = filled(text, dir.resolve(Results.RAW));
            if (!filled.equals(text)) {
                Files.writeString(page, filled);
            }
        }
        Pictures.write(dir.resolve(Results.RAW), dir);
    }

    static List<Path> pages(Path dir) throws IOException {
        Path beside = dir.resolveSibling(dir.getFileName() + ".md");
        Path readme = dir.toAbsolutePath().resolve("../../README.md").normalize();
        try (Stream<Path> files = Files.list(dir)) {
            return Stream.concat(Stream.of(beside, readme), files.sorted())
                    .filter(page -> page.toString().endsWith(".md") && Files.isRegularFile(page))
                    .toList();
        }
    }

    private static String filled(String page, Path results) throws IOException {
        StringBuilder filled = new StringBuilder();
        Matcher places = PLACE.matcher(page);
        while (places.find()) {
            String table = table(places.group(2), places.group(3), results);
            places.appendReplacement(filled, Matcher.quoteReplacement(places.group(1) + table + places.group(4)));
        }
        places.appendTail(filled);
        return filled.toString();
    }

    private static String table(String name, String jdk, Path results) throws IOException {
        if (name.startsWith("targets-")) {
            return Targets.table(results, name.substring("targets-".length())).toString();
        }
        if (name.equals("summary")) {
            return Summary.table(results, Integer.parseInt(jdk)).toString();
        }
        return TableOf.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'))
                .read(results, Integer.parseInt(jdk))
                .toString();
    }
}
