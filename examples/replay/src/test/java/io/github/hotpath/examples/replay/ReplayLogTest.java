package io.github.hotpath.examples.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.CompressorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, on small logs whose results were computed by hand. */
class ReplayLogTest {
    /** With 2 in 10 s: a is refused at 9 s, until the request at 0 s is older than 10 s; a bucket grants all. */
    private static final String CSV = "time,key,permits\n0,a\n4,a\n5,b\n9,a\n10.5,a\n";

    private static final String ACCESS = """
            10.0.0.1 - ann [22/Nov/2026:09:30:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "one"
            10.0.0.2 - ann [22/Nov/2026:09:30:01 +0000] "GET /a HTTP/1.1" 200 1 "-" "one"
            10.0.0.1 - - [22/Nov/2026:10:30:02 +0100] "GET /b HTTP/1.1" 200 1 "-" "two"
            """;

    @TempDir
    private Path dir;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    private static Run run(Object... args) throws InterruptedException {
        return Run.of("", strings(args));
    }

    private static String[] strings(Object... args) {
        return Stream.concat(Arrays.stream(args).map(Object::toString), Stream.of("--no-report"))
                .toArray(String[]::new);
    }

    private static List<String> words(String line) {
        return List.of(line.split(" {2,}"));
    }

    @Test
    void run_csv_isReplayedThroughEachCandidate() throws Exception {
        Run run = run(file("log.csv", CSV), "--limit", "2/10s", "--limit", "1/1h,2/1m");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out().get(0))
                .isEqualTo(dir.resolve("log.csv") + ": 5 requests of 2 clients, from 1970-01-01T00:00:00Z to"
                        + " 1970-01-01T00:00:10.500Z.");
        assertThat(run.out().subList(2, 9).stream().map(ReplayLogTest::words))
                .containsExactly(
                        List.of(
                                "limit",
                                "counted by",
                                "granted",
                                "refused",
                                "share",
                                "clients refused",
                                "share",
                                "their requests",
                                "mean wait",
                                "longest wait",
                                "never granted"),
                        List.of(
                                "2/10s",
                                "sliding window",
                                "4",
                                "1",
                                "20.0 %",
                                "1",
                                "50.0 %",
                                "80.0 %",
                                "1.0 s",
                                "1.0 s"),
                        List.of("", "token bucket", "5", "0", "0 %", "0", "0 %", "0 %"),
                        List.of("", "counters", "4", "1", "20.0 %", "1", "50.0 %", "80.0 %"),
                        List.of(
                                "1/1h,2/1m",
                                "sliding window",
                                "2",
                                "3",
                                "60.0 %",
                                "1",
                                "50.0 %",
                                "80.0 %",
                                "59.9 min",
                                "59.9 min"),
                        List.of("", "token bucket", "2", "3", "60.0 %", "1", "50.0 %", "80.0 %"),
                        List.of("", "counters", "2", "3", "60.0 %", "1", "50.0 %", "80.0 %"));
        assertThat(run.out().subList(10, 13).stream().map(ReplayLogTest::words))
                .containsExactly(
                        List.of("Refused most by 2/10s:"),
                        List.of(
                                "client",
                                "requests",
                                "refused",
                                "share",
                                "busiest 10s",
                                "busiest 1m",
                                "busiest 1h",
                                "mean wait",
                                "longest wait"),
                        List.of("a", "4", "1", "25.0 %", "3", "4", "4", "1.0 s", "1.0 s"));
    }

    @Test
    void run_weights_areInTheTable() throws Exception {
        Run run = run(file("log.csv", "0,a,3\n1,a,2\n2,a,9\n"), "--limit", "4/10s");

        assertThat(run.out().get(0)).contains("3 requests for 14 permits of 1 clients");
        assertThat(words(run.out().get(3)))
                .containsExactly(
                        "4/10s",
                        "sliding window",
                        "1",
                        "2",
                        "66.7 %",
                        "1",
                        "100.0 %",
                        "100.0 %",
                        "9.0 s",
                        "9.0 s",
                        "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--key address|2|10.0.0.1",
                "--key user|1|ann",
                "--key agent|2|one",
                "--key 5|2|GET /a HTTP/1.1",
                "--key-regex GET|1|GET",
                "--key-regex GET.(/.)|2|/a",
                "--key-regex \"(t.*)\"|1|-"
            })
    void run_keys_areFound(String option, int clients, String refused) throws Exception {
        String[] args = option.split(" ");
        Run run = run(
                file("access.log", ACCESS),
                args[0],
                args[1].equals("\"(t.*)\"") ? "\"(tw.)\"" : args[1],
                "--limit",
                "1/1m");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(0)).contains(" of " + clients + " clients");
        assertThat(run.out().stream().filter(line -> line.startsWith(refused + " ")))
                .hasSize(refused.equals("-") ? 0 : 1);
    }

    @Test
    void run_linesWithoutKey_areCounted() throws Exception {
        Run run = run(file("access.log", ACCESS), "--key", "user", "--limit", "1/1m");

        assertThat(run.out()).contains("1 of 3 lines have no key, and are left out.");
        assertThat(run(file("access.log", ACCESS), "--key-regex", "POST").err())
                .containsExactly("ReplayLog: " + dir.resolve("access.log") + ": none of 3 lines has a key");
    }

    @Test
    void run_columnsAndUnits_areUsed() throws Exception {
        Run run = run(
                file("log.txt", "2,x,a,1500\n1,x,a,2500\n"),
                "--format",
                "csv",
                "--columns",
                "4,3,1",
                "--time-unit",
                "ms",
                "--limit",
                "2/1s");

        assertThat(run.out().get(0))
                .contains("2 requests for 3 permits of 1 clients, from 1970-01-01T00:00:01.500Z to"
                        + " 1970-01-01T00:00:02.500Z.");
        assertThat(words(run.out().get(3))).startsWith("2/1s", "sliding window", "1", "1");
    }

    @Test
    void run_standardInput_isRead() throws Exception {
        Run run = Run.of(ACCESS, "-", "--limit", "1/1m", "--no-report");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(0)).startsWith("standard input: 3 requests of 2 clients, from 2026-11-22T09:30:00Z");
    }

    @Test
    void run_severalFiles_areOneLog() throws Exception {
        Path first = file("first.csv", CSV);
        Path second = file("second.csv", "time,key\n11,b\n12,c\n");

        assertThat(run(first, second).out().get(0)).contains("7 requests of 3 clients");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gz", "bzip2", "xz"})
    void run_compressed_isTheSame(String compression) throws Exception {
        Path plain = file("log.csv", CSV);
        Path packed = Files.write(dir.resolve("packed"), LogFileTest.compressed(compression, CSV));

        Run run = run(packed, "--format", "csv", "--limit", "2/10s");

        assertThat(run.status()).isZero();
        List<String> expected = run(plain, "--limit", "2/10s").out();
        assertThat(run.out().subList(1, run.out().size())).isEqualTo(expected.subList(1, expected.size()));
    }

    @Test
    void run_cutCompressedFile_fails() throws IOException, CompressorException, InterruptedException {
        byte[] bytes = LogFileTest.compressed("gz", CSV.repeat(1000));
        Path file = Files.write(dir.resolve("log.csv.gz"), Arrays.copyOf(bytes, bytes.length / 2));

        Run run = run(file);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .singleElement()
                .asString()
                .matches("ReplayLog: .*log.csv.gz: ends within its gz data, or is damaged, after line \\d+ \\(.*\\)");
    }

    @Test
    void run_unreadableLines_areCountedAndTheFirstShown() throws Exception {
        Run run = run(file("access.log", "bad\u001b[31m\n" + ACCESS + "\n" + "x\n".repeat(7)), "--limit", "1/1m");

        String name = dir.resolve("access.log").toString();
        assertThat(run.status()).isZero();
        assertThat(run.out().subList(1, 7))
                .containsExactly(
                        "8 of 11 lines cannot be read. The first:",
                        "  " + name + ", line 1: 'bad?[31m': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 6: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 7: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 8: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 9: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]");
    }

    @Test
    void run_longLine_isUnreadable() throws Exception {
        Run run =
                run(file("access.log", ACCESS + ACCESS.lines().findFirst().orElseThrow() + "x".repeat(70_000) + "\n"));

        assertThat(run.out()).contains("  " + dir.resolve("access.log") + ", line 4: longer than 65536 bytes");
    }

    @Test
    void run_timesThatGoBack_areCounted() throws Exception {
        Run run = run(file("log.csv", "10,a\n7,a\n10,a\n9.5,a\n"), "--limit", "3/1m");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(1)).isEqualTo("2 requests are earlier than one before them, by up to 3.0 s.");
        assertThat(words(run.out().get(4))).startsWith("3/1m", "sliding window", "3", "1");
    }

    @Test
    void run_oneClient_isAllOfTheTraffic() throws Exception {
        Run run = run(file("log.csv", "0,a\n".repeat(100)), "--limit", "40/1m", "--suggest", "0%");

        assertThat(words(run.out().get(3)))
                .containsExactly(
                        "40/1m", "sliding window", "40", "60", "60.0 %", "1", "100.0 %", "100.0 %", "60.0 s", "60.0 s");
        assertThat(run.out())
                .contains("The smallest limits that refuse no more than 0 % of 1 clients, each alone: 100/1m");
    }

    @Test
    void run_suggest_proposesTheSmallestLimits() throws Exception {
        StringBuilder log = new StringBuilder();
        for (int client = 1; client <= 10; client++) { // client n has n requests at once, and the last one five more
            log.append(("0," + client + "\n").repeat(client));
        }
        log.append("1,10\n".repeat(5));

        Run run = run(file("log.csv", log.toString()), "--suggest", "20%", "--intervals", "1m,500ms");

        assertThat(run.out())
                .containsExactly(
                        dir.resolve("log.csv") + ": 60 requests of 10 clients, from 1970-01-01T00:00:00Z to"
                                + " 1970-01-01T00:00:01Z.",
                        "",
                        "The smallest limits that refuse no more than 20.0 % of 10 clients, each alone: 8/500ms or 8/1m",
                        "Together: --limit 8/500ms,8/1m, which refuses 2 clients (20.0 %)",
                        "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "--limit 60|no limit, such as 60/1m",
                "--limit 60/1w|no time span",
                "--limit 0/1m|permits from 1",
                "--limit 1/1m --limit 1/60s|--limit 1/1m: given twice",
                "--suggest 1|no part from 0% to 100%",
                "--suggest 101%|no part from 0% to 100%",
                "--intervals 0s|no time span",
                "--format xml|'xml' is neither access nor csv",
                "--key name|'name' is no field",
                "--key 0|'0' is no field",
                "--key user --key-regex x|--key: not with --key-regex",
                "--key-regex (|'(': Unclosed group at character 2",
                "--columns 1,2|--columns: only with --format csv",
                "--format csv --columns 1|no two or three columns",
                "--format csv --columns 1,2 --columns 3,4|option '--columns' (TIME,KEY[,PERMITS]) should be specified only once",
                "--format csv --columns 1,0|'0' is no whole number from 1 to 1000",
                "--format csv --key user|--key: not with CSV: see --columns",
                "--format csv --time-unit min|'min' is none of s, ms, us and ns",
                "--time-unit ms|--time-unit: only with --format csv",
                "--top 1001|'1001' is no whole number from 0 to 1000",
                "--clients 0|'0' is no whole number from 1",
                "--limits 1/1m|Unknown option: '--limits'",
                "--limit|Missing required parameter for option '--limit'",
                "- -|-: standard input can be read once"
            })
    void run_wrongArgument_isNamed(String args, String message) throws Exception {
        Run run = Run.of("", args.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .singleElement()
                .asString()
                .startsWith("ReplayLog: ")
                .contains(message)
                .endsWith("; --help lists all arguments");
    }

    @Test
    void run_nothingToReplay_fails() throws Exception {
        String name = "ReplayLog: " + dir.resolve("access.log");

        assertThat(run(dir.resolve("access.log")))
                .isEqualTo(new Run(
                        1,
                        List.of(),
                        List.of("ReplayLog: java.nio.file.NoSuchFileException: " + dir.resolve("access.log"))));
        assertThat(run(file("access.log", ""))).isEqualTo(new Run(1, List.of(), List.of(name + ": empty")));
        assertThat(run(file("access.log", "\n \n"))).isEqualTo(new Run(1, List.of(), List.of(name + ": empty")));
        assertThat(run(file("access.log", "x\ny\n")))
                .isEqualTo(new Run(
                        1,
                        List.of(),
                        List.of(name + ": no line can be replayed, of 2; " + dir.resolve("access.log")
                                + ", line 1: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]")));
        assertThat(run(dir)).isEqualTo(new Run(1, List.of(), List.of("ReplayLog: " + dir + ": a directory")));
    }

    @Test
    void run_help_listsAllOptions() throws Exception {
        Run run = Run.of("", "--help");

        assertThat(run.status()).isZero();
        assertThat(String.join("\n", run.out()))
                .contains(
                        "--limit",
                        "--suggest",
                        "--intervals",
                        "--format",
                        "--key",
                        "--key-regex",
                        "--columns",
                        "--time-unit",
                        "--report",
                        "--no-report",
                        "--top",
                        "--clients",
                        "--no-compare",
                        "--[no-]progress");
    }

    @Test
    void run_options_changeTheReport() throws Exception {
        Path log = file("log.csv", CSV + "11,b\n11,b\n");

        assertThat(run(log, "--limit", "2/1m", "--no-compare").out()).noneMatch(line -> line.contains("token bucket"));
        assertThat(run(log, "--limit", "1/1m", "--top", "1").out())
                .anyMatch(line -> line.startsWith("a "))
                .noneMatch(line -> line.startsWith("b "));
        assertThat(run(log, "--limit", "1/1m", "--top", "0").out()).noneMatch(line -> line.startsWith("Refused most"));
        assertThat(run(log, "--limit", "1/1d").out())
                .anyMatch(line -> line.contains("busiest 1m") && !line.contains("1d"));
        assertThat(run(log, "--suggest", "0%").out()).noneMatch(line -> line.contains("sliding window"));
        assertThat(run(log).out())
                .anyMatch(line -> line.startsWith("60/1m,1000/1h"))
                .anyMatch(line -> line.startsWith("20/10s"));
    }

    @Test
    void run_moreClientsThanRetained_saysSo() throws Exception {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            log.append(i + ",client " + i + "\n");
        }

        Run run = run(file("log.csv", log.toString()), "--clients", "100", "--limit", "1/1m", "--suggest", "1%");

        assertThat(run.out().get(0)).containsPattern("1,000 requests of ~[\\d,]+ clients");
        assertThat(run.out().get(1)).startsWith("There are more clients than are retained");
        assertThat(run.out())
                .anyMatch(line -> line.matches("The smallest limits .* of a sample of \\d+ clients, each alone: 1/1m"));
    }

    @Test
    void run_progress_isShown() throws Exception {
        Path log = file("log.csv", "0,a\n".repeat(20_000));

        assertThat(String.join("\n", run(log, "--progress").err()))
                .contains("%")
                .contains("log.csv");
        assertThat(run(log, "--no-progress").err()).isEmpty();
        assertThat(run(log).err()).isEmpty(); // no terminal
    }

    @Test
    void run_report_isOnePageWithoutTheNetwork() throws Exception {
        String hostile = "<script>alert(1)</script>&\"'{{data}}";
        Path log = file(
                "log.csv",
                CSV + "11,\"" + hostile.replace("\"", "\"\"") + "\"\n".repeat(1)
                        + ("12,\"" + hostile.replace("\"", "\"\"") + "\"\n").repeat(3));
        Path report = dir.resolve("new/report.html");

        Run run = Run.of(
                "",
                log.toString(),
                "--limit",
                "2/10s",
                "--limit",
                "2/1m",
                "--suggest",
                "50%",
                "--report",
                report.toString());

        assertThat(run.out()).endsWith("The same with charts: " + report);
        String page = Files.readString(report);
        assertThat(page)
                .doesNotContain("<script>alert", "sourceMappingURL")
                .doesNotContainPattern("(src|href)=\"(?!data:)")
                .doesNotContainPattern("url\\((?!data:)|@import|fetch\\(|XMLHttpRequest");
        assertThat(page).contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;{{data}}");
        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script>", -1)).hasSize(4);
        assertThat(page).contains("<td>2/10s</td>", "Suggested limits", "id=\"top0\"", "id=\"top1\"", "Chart.js v");
    }

    @Test
    void run_report_hasTheDataOfTheCharts() throws Exception {
        Path report = dir.resolve("report.html");

        Run.of("", file("log.csv", CSV + "60,b\n").toString(), "--limit", "2/10s", "--report", report.toString());

        String page = Files.readString(report);
        String json = page.substring(page.indexOf("id=\"data\">") + 10, page.indexOf("</script>"));
        assertThat((Object) JsonParser.parseString(json)).isEqualTo(JsonParser.parseString("""
                {"startMillis": 0, "widthMillis": 60000, "width": "minute", "requests": [5, 1],
                 "algorithms": ["sliding window", "token bucket", "counters"], "compares": true,
                 "candidates": [{"name": "2/10s", "perBin": [1, 0], "refused": [1, 0, 1],
                                 "top": [{"name": "a", "granted": 3, "refused": 1}]}],
                 "intervals": [{"name": "10s", "points": [[1.0, 1.0], [3.0, 0.0]], "limits": [2], "all": 2.0},
                               {"name": "1m", "points": [[2.0, 1.0], [4.0, 0.0]], "limits": [], "all": 2.0}]}
                """));
    }

    @Test
    void run_reportThatCannotBeWritten_failsBeforeTheLogIsRead() throws Exception {
        Run run = Run.of("", file("log.csv", CSV).toString(), "--report", dir.toString());

        assertThat(run).isEqualTo(new Run(1, List.of(), List.of("ReplayLog: --report " + dir + ": a directory")));
    }

    @Test
    void run_noFile_generatesADay() throws Exception {
        Run run = run("--limit", "60/1m", "--no-compare");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(0)).isEqualTo("No log is given, so a day of a service is generated.");
        assertThat(run.out().get(1)).startsWith("A generated day, 2026-11-20: ");
    }

    @Test
    void writeLog_file_isRead() throws Exception {
        Path log = dir.resolve("day.log");

        long lines = WriteLog.write(log, new AccessDay(0.01));

        assertThat(run(log, "--limit", "60/1m", "--no-compare").out().get(0))
                .startsWith(String.format(Locale.ROOT, "%s: %,d requests of ", log, lines));
    }

    @Test
    void measureReplay_file_isReadInEachWay() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, UTF_8);

        int status = MeasureReplay.run(
                stream, stream, file("access.log", ACCESS.repeat(100)).toString(), "1");

        assertThat(status).isZero();
        assertThat(out.toString(UTF_8).lines().map(line -> line.split("  ")[0]).skip(1))
                .containsExactly(
                        "lines, by BufferedReader",
                        "lines, by LineReader",
                        "the same, and requests",
                        "the same, and 60/1m",
                        "60/1m compared with bucket and counter",
                        "60/1m,1000/1h and 20/10s, compared");
    }

    @Test
    void otherPrograms_wrongArguments_areNamed() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, UTF_8);

        assertThat(WriteLog.run(stream, stream)).isEqualTo(2);
        assertThat(WriteLog.run(stream, stream, "log", "0")).isEqualTo(2);
        assertThat(MeasureReplay.run(stream, stream)).isEqualTo(2);
        assertThat(MeasureReplay.run(stream, stream, "log", "x")).isEqualTo(2);
        assertThat(MeasureReplay.run(stream, stream, dir.resolve("none").toString()))
                .isEqualTo(1);
        assertThat(err.toString(UTF_8).lines()).hasSize(6); // and the head of the table
    }
}
