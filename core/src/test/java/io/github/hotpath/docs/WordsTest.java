package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pages, Javadoc and comments use the terms of the field: a reader searches for "evicts" and "contention", not for a
 * phrase made here. Each phrase below has the term to write instead. Code, in pages and in sources, is not read.
 */
class WordsTest {
    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** The directories whose sources are read. */
    private static final List<String> SOURCES = List.of(
            "core/src/main/java",
            "examples/article/src/main/java",
            "examples/benchmarks/src/main/java",
            "examples/recipes/src/main/java",
            "examples/stream/src/main/java");

    private static final List<Phrase> PHRASES = List.of(
            new Phrase("sa(?:y|ys|id|ying) (?:no|yes|true|false)(?! more)", "returns `false`, returns `true`"),
            new Phrase("as of now|(?:later|earlier) than now|now never|moves now", "at the latest time"),
            new Phrase("judged|(?<!time)stamped", "evaluated, timestamped"),
            new Phrase("lets? go of", "releases, evicts"),
            new Phrase("g(?:ive|ives|ave|iven|iving) (?:\\w+ )?back", "releases"),
            new Phrase(
                    "(?:has|have|is|are) gone(?! (?:by|through))|goes away|events? go(?:es)?|(?:expired|old) ones go",
                    "expires, is evicted"),
            new Phrase("forg[eo]t(?:s|ten|ting)?", "evicts, removes"),
            new Phrase("remember(?:s|ed|ing)?", "retains, keeps"),
            new Phrase("threads (?:that )?(?:have to )?meet|meet in (?:it|a)", "threads contend"),
            new Phrase("look(?:s|ed|ing)? (?:whether|if)|the look(?!-)|a look(?!-)", "check, checks whether"),
            new Phrase("strangers?", "untrusted callers"),
            new Phrase(
                    "who(?:ever)? (?:asks|calls|comes|finds|has|holds|keeps|makes|needs|reads|records|waits|wants)|whoever",
                    "the caller, client, thread or process"),
            new Phrase(
                    "whatever (?:can|comes|does|every|happens|has|is|may|of|remains|takes|was|will)",
                    "the noun; `regardless of`"),
            new Phrase("somebody|someone|nobody|anybody", "another thread, process or caller; no caller"),
            new Phrase("what (?:is|was) there|something (?:that is )?there", "existing directory, existing file"),
            new Phrase("links followed|links? to nothing", "following symbolic links, dangling symbolic link"),
            new Phrase("pass(?:es)? as (?:it|they) (?:is|are)", "propagates unchanged"),
            new Phrase("makes? sure of|made sure of", "ensures"),
            new Phrase("stretch(?:es)? of", "time span of length"),
            new Phrase("a step for (?:every|each)", "one step per"),
            new Phrase("lets? in|has let", "admits, grants"),
            new Phrase("has the word", "returns"),
            new Phrase("rulers?(?! sequence)", "benchmark, baseline"),
            new Phrase("asked for|aimed at", "target, required"),
            new Phrase("contract", "rule, promise, specification"),
            new Phrase("say of themselves", "an invariant does not hold"),
            new Phrase("earlier design|was found by|first form of this", "nothing: describe what is"),
            new Phrase("as a rule", "usually"),
            new Phrase("without a word", "silently"),
            new Phrase("(?:is|are|be) told of", "is reported"),
            new Phrase("for nothing", "needlessly, without a further call"),
            new Phrase("keeps? no memory", "releases all memory"),
            new Phrase("plain store that", "release store"),
            new Phrase("oftener", "more often"));

    /** What may stand all the same. */
    private static final List<Exemption> EXEMPTIONS = List.of();

    /** A regular expression of words, of which any white space may separate two, and what to write in its place. */
    private record Phrase(String words, String instead) {
        Pattern pattern() {
            String anySpace = words.replace(" ", "[\\s*/]+");
            return Pattern.compile("(?i)\\b(?:" + anySpace + ")\\b");
        }
    }

    /** A phrase that is right in a file, given by the end of its path. */
    private record Exemption(String path, String found, String reason) {
        boolean covers(Path file, String phrase) {
            return file.endsWith(path) && found.equalsIgnoreCase(phrase);
        }
    }

    static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>(LinksTest.pages());
        for (String sources : SOURCES) {
            try (Stream<Path> tree = Files.walk(PROJECT.resolve(sources))) {
                tree.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
            }
        }
        return files;
    }

    @ParameterizedTest
    @MethodSource("files")
    void prose_ofFile_usesTheTermsOfTheField(Path file) throws IOException {
        assertThat(found(file)).isEmpty();
    }

    private static List<String> found(Path file) throws IOException {
        boolean isPage = file.toString().endsWith(".md");
        String text = Files.readString(file);
        List<String> found = new ArrayList<>();
        for (Finding finding : findings(isPage ? proseOfPage(text) : proseOfSource(text))) {
            if (EXEMPTIONS.stream().noneMatch(exemption -> exemption.covers(file, finding.found))) {
                found.add(PROJECT.relativize(file) + ":" + finding);
            }
        }
        return found;
    }

    /** A phrase found, with the number of its line. */
    private record Finding(int line, String found, String instead) {
        @Override
        public String toString() {
            return line + " has \"" + found + "\", instead of which write: " + instead;
        }
    }

    private static List<Finding> findings(String prose) {
        List<Finding> findings = new ArrayList<>();
        for (Phrase phrase : PHRASES) {
            Matcher matcher = phrase.pattern().matcher(prose);
            while (matcher.find()) {
                int line = 1
                        + (int) prose.substring(0, matcher.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                findings.add(new Finding(line, matcher.group().replaceAll("[\\s*/]+", " "), phrase.instead));
            }
        }
        return findings;
    }

    /** Returns the text of a page with its code and the targets of its links blanked out. */
    private static String proseOfPage(String page) {
        return blank(page, "(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|<!--.*?-->");
    }

    /** Returns a source with everything blanked out but its comments, without the code in them. */
    private static String proseOfSource(String source) {
        StringBuilder prose = new StringBuilder(source.replaceAll("[^\\n]", " "));
        Matcher comments = Pattern.compile(
                        "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\])'|(/\\*(?s:.*?)\\*/|//[^\\n]*)")
                .matcher(source);
        while (comments.find()) {
            if (comments.group(1) != null) {
                prose.replace(comments.start(), comments.end(), comments.group());
            }
        }
        return blank(prose.toString(), "(?s)<pre>.*?</pre>|\\{@(?:code|link|linkplain)\\s[^}]*\\}");
    }

    private static String blank(String text, String regex) {
        return Pattern.compile(regex)
                .matcher(text)
                .replaceAll(match -> match.group().replaceAll("[^\\n]", " "));
    }

    @Test
    void exemptions_areAllNeeded() throws IOException {
        List<Exemption> needed = new ArrayList<>();
        for (Path file : files()) {
            String text = Files.readString(file);
            for (Finding finding :
                    findings(file.toString().endsWith(".md") ? proseOfPage(text) : proseOfSource(text))) {
                EXEMPTIONS.stream()
                        .filter(exemption -> exemption.covers(file, finding.found))
                        .forEach(needed::add);
            }
        }
        assertThat(needed).containsAll(EXEMPTIONS);
    }

    @Test
    void phrase_planted_isFoundInItsLine() {
        assertThat(findings(proseOfPage("# Page\n\nA window lets\ngo of events.\n")))
                .containsExactly(new Finding(3, "lets go of", "releases, evicts"));
        assertThat(findings(proseOfSource("int a;\n/** It says\n * no. */\nint b; // whoever\n")))
                .extracting(Finding::line)
                .containsExactly(2, 4);
    }

    @Test
    void phrase_inCodeOrString_isNotProse() {
        assertThat(findings(proseOfPage("`strangers` and [a page](strangers.md)\n```java\nlong strangers;\n```\n")))
                .isEmpty();
        assertThat(findings(proseOfSource("String strangers = \"// strangers\"; /** {@code strangers} */")))
                .isEmpty();
    }
}
