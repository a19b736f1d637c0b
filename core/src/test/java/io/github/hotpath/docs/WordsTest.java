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
            "core/src",
            "examples/article/src",
            "examples/benchmarks/src",
            "examples/fleet/src",
            "examples/recipes/src",
            "examples/src",
            "examples/stream/src");

    private static final List<Phrase> PHRASES = List.of(
            new Phrase("sa(?:y|ys|id|ying) (?:no|yes|true|false)(?! more)", "returns `false`, returns `true`"),
            new Phrase("as of now|(?:later|earlier) than now|now never|moves now", "at the latest time"),
            new Phrase("judged|(?<!time)stamped", "evaluated, timestamped"),
            new Phrase("lets? go(?: of| at)", "releases, evicts"),
            new Phrase("g(?:ive|ives|ave|iven|iving) (?:\\w+ )?back", "releases"),
            new Phrase(
                    "(?:has|have|is|are) gone(?! (?:by|through))|goes away|events? go(?:es)?|(?:expired|old) ones go",
                    "expires, is evicted"),
            new Phrase("forg[eo]t(?:s|ten|ting)?", "evicts, removes"),
            new Phrase("remember(?:s|ed|ing)?", "retains, keeps"),
            new Phrase("threads (?:that )?(?:have to )?meet|meet in (?:it|a)", "threads contend"),
            new Phrase("look(?:s|ed|ing)? (?:whether|if|through)|the look(?!-)|a look(?!-)", "check, checks whether"),
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
            new Phrase("rulers?", "benchmark, baseline"),
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
            new Phrase("oftener", "more often"),
            new Phrase("(?:is|are|was|were|be|been) told(?! (?:apart|from|on))", "is passed, is reported, is set to"),
            new Phrase("held against", "compared with"),
            new Phrase("stands? in for", "replaces, simulates"),
            new Phrase("in the eyes of", "for, according to"),
            new Phrase("what came of", "the result"),
            new Phrase("takes? (?:it|them) away", "removes"),
            new Phrase("for good", "permanently"),
            new Phrase("in vain", "without success"),
            new Phrase("wip(?:es?|ed|ing)", "clears"),
            new Phrase("neighbou?r(?:s|ing)", "adjacent"),
            new Phrase("(?:is|are) the remedy", "call `clear` to recover"),
            new Phrase("limits? of calls", "per-call limit"),
            new Phrase("errors? inside a call", "if a call throws an error"));

    private static final int MAX_COLUMNS = 120;

    /** What may stand all the same. */
    private static final List<Exemption> EXEMPTIONS = List.of(
            new Exemption("docs/design.md", "ruler", "the ruler sequence is a term of mathematics"),
            new Exemption("window/BucketBoundaries.java", "ruler", "the same"));

    private static final Pattern CODE_OF_PAGE = Pattern.compile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|<!--.*?-->");

    private static final Pattern CODE_OF_COMMENT =
            Pattern.compile("(?s)<pre>.*?</pre>|\\{@(?:code|link|linkplain)\\s[^}]*\\}");

    private static final Pattern NO_LINE_FEED = Pattern.compile("[^\\n]");

    /** A text block, a string, a character, or a comment, which is group 1. */
    private static final Pattern STRING_OR_COMMENT = Pattern.compile(
            "\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"" + "|'(?:\\\\.|[^'\\\\])'|(/\\*(?s:.*?)\\*/|//[^\\n]*)");

    /** Words that are not used, and the ones to write instead. */
    private record Phrase(Pattern pattern, String instead) {
        /** Creates a phrase from a regular expression of words, of which any white space may separate two. */
        Phrase(String words, String instead) {
            this(Pattern.compile("(?i)\\b(?:" + words.replace(" ", "[\\s*/]+") + ")\\b"), instead);
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

    /** Where a line is longer, its paragraph was edited and not wrapped again. */
    @ParameterizedTest
    @MethodSource("files")
    void line_ofProse_fitsTheWidthOfTheCode(Path file) throws IOException {
        List<String> lines = prose(file).lines().map(String::stripTrailing).toList();

        assertThat(lines).allMatch(line -> line.length() <= MAX_COLUMNS || line.startsWith("|"));
    }

    private static List<String> found(Path file) throws IOException {
        return findings(file)
                .filter(finding -> EXEMPTIONS.stream().noneMatch(exemption -> exemption.covers(file, finding.found)))
                .map(finding -> PROJECT.relativize(file) + ":" + finding)
                .toList();
    }

    private static Stream<Finding> findings(Path file) throws IOException {
        return findings(prose(file)).stream();
    }

    /** Returns the text of a page or source with its code blanked out, so that lines and columns are the same. */
    private static String prose(Path file) throws IOException {
        String text = Files.readString(file);
        return file.toString().endsWith(".md") ? proseOfPage(text) : proseOfSource(text);
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
            Matcher matcher = phrase.pattern.matcher(prose);
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
        return blank(page, CODE_OF_PAGE);
    }

    /** Returns a source with everything blanked out but its comments, without the code in them. */
    private static String proseOfSource(String source) {
        StringBuilder prose = new StringBuilder(blank(source));
        Matcher matcher = STRING_OR_COMMENT.matcher(source);
        while (matcher.find()) {
            if (matcher.group(1) != null) {
                prose.replace(matcher.start(), matcher.end(), matcher.group());
            }
        }
        return blank(prose.toString(), CODE_OF_COMMENT);
    }

    private static String blank(String text, Pattern code) {
        return code.matcher(text).replaceAll(match -> blank(match.group()));
    }

    /** Returns spaces in place of all characters but line feeds. */
    private static String blank(String text) {
        return NO_LINE_FEED.matcher(text).replaceAll(" ");
    }

    @Test
    void exemptions_areAllNeeded() throws IOException {
        List<Path> files = files();
        for (Exemption exemption : EXEMPTIONS) {
            List<Path> exempt =
                    files.stream().filter(file -> file.endsWith(exemption.path)).toList();
            assertThat(exempt).as(exemption.path).hasSize(1);
            assertThat(findings(exempt.get(0))).extracting(Finding::found).contains(exemption.found);
        }
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
