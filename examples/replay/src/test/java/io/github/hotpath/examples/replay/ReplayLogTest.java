package io.github.hotpath.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.compressors.CompressorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, on small logs whose results were computed by hand. */
class ReplayLogTest {
    private static final List<String> MOST_REFUSED = List.of(
            "client",
            "requests",
            "refused",
            "share",
            "busiest 10s",
            "busiest 1m",
            "busiest 1h",
            "mean wait",
            "longest wait");

    /** With 2 in 10 s: a is refused at 9 s, until the request at 0 s is older than 10 s. */
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

    private static Run run(Object... args) {
        return Run.of("", Stream.of(args).map(Object::toString).toArray(String[]::new));
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
        assertThat(run.out().stream().skip(2).map(ReplayLogTest::words))
                .containsExactly(
                        List.of(
                                "limit",
                                "granted",
                                "refused",
                                "share",
                                "clients refused",
                                "share",
                                "their requests",
                                "mean wait",
                                "longest wait",
                                "never granted"),
                        List.of("2/10s", "4", "1", "20.0 %", "1", "50.0 %", "80.0 %", "1.0 s", "1.0 s"),
                        List.of("1/1h,2/1m", "2", "3", "60.0 %", "1", "50.0 %", "80.0 %", "59.9 min", "59.9 min"),
                        List.of(""),
                        List.of("Refused most by 2/10s:"),
                        MOST_REFUSED,
                        List.of("a", "4", "1", "25.0 %", "3", "4", "4", "1.0 s", "1.0 s"),
                        List.of(""),
                        List.of("Refused most by 1/1h,2/1m:"),
                        MOST_REFUSED,
                        List.of("a", "4", "3", "75.0 %", "3", "4", "4", "59.9 min", "59.9 min"),
                        List.of(""),
                        List.of("Permits of a client in its busiest interval:"),
                        List.of("busiest", "half of clients", "90 %", "99 %", "99.9 %", "all"),
                        List.of("10s", "1", "3", "3", "3", "3"),
                        List.of("1m", "1", "4", "4", "4", "4"),
                        List.of("1h", "1", "4", "4", "4", "4"));
    }

    @Test
    void run_weights_areInTheTable() throws Exception {
        Run run = run(file("log.csv", "0,a,3\n1,a,2\n2,a,9\n"), "--limit", "4/10s");

        assertThat(run.out().get(0)).startsWith("Warning: all requests have one key, 'a'");
        assertThat(run.out().get(1)).contains("3 requests for 14 permits of 1 client, from");
        assertThat(words(run.out().get(4)))
                .containsExactly("4/10s", "1", "2", "66.7 %", "1", "100.0 %", "100.0 %", "9.0 s", "9.0 s", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--key address|2 clients|10.0.0.1",
                "--key user|1 client|ann",
                "--key agent|2 clients|one",
                "--key REQUEST|2 clients|GET /a HTTP/1.1",
                "--key-regex GET|1 client|GET",
                "--key-regex GET.(/.)|2 clients|/a",
                "--networks|1 client|10.0.0.0/24"
            })
    void run_keys_areFound(String options, String clients, String refused) throws Exception {
        Run run = Run.of(ACCESS, ("- --limit 1/1m " + options).split(" "));

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .anyMatch(line -> line.startsWith("standard input: ") && line.contains(" of " + clients + ","));
        assertThat(run.out()).filteredOn(line -> line.startsWith(refused + " ")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:102:304,1.2.3.0/24",
        "::ffff:1.2.3.4,1.2.3.0/24",
        "200.1.2.3,200.1.2.0/24",
        "fe80::1%none9,fe80::/64"
    })
    void run_networks_ofAddressesInOtherForms(String address, String network) {
        String request = address + " - - [22/Nov/2026:09:30:00 +0000]\n";

        Run run = Run.of(request.repeat(2), "-", "--networks", "--limit=1/1m");

        assertThat(run.out()).filteredOn(line -> line.startsWith(network + " ")).hasSize(1);
    }

    /** The program's own day has clients with IPv6 addresses, all in one network. */
    @Test
    void run_networksOfTheGeneratedDay_areAllFound() {
        Run run = run("--networks", "--limit", "60/1m,1000/1h");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(0)).isEqualTo("No log is given, so a day of a service is generated.");
        assertThat(run.out().get(1)).startsWith("A generated day, 2026-11-20: 701,555 requests of ");
        assertThat(run.out()).anyMatch(line -> line.startsWith("2001:db8::/64 "));
    }

    @Test
    void run_linesWithoutKey_areCounted() throws Exception {
        Run run = run(file("access.log", ACCESS), "--key", "user", "--limit", "1/1m");

        assertThat(run.out()).contains("1 line has no key, of 3.");
        assertThat(run(file("access.log", ACCESS), "--key-regex", "POST").err())
                .containsExactly("ReplayLog: " + dir.resolve("access.log") + ": none of 3 lines has a key");
    }

    @Test
    void run_keysThatAreNone_areWarnedOf() {
        String choose = "; choose the key with --key or --key-regex.";
        String line = "%s [22/Nov/2026:09:30:00 +0000] GET\n";

        assertThat(Run.of(line.formatted("web1 - b") + line.formatted("web2 - b") + line.formatted("web1 - b"), "-")
                        .out())
                .startsWith("Warning: 3 keys are no address, such as 'web1'" + choose);
        assertThat(Run.of(line.formatted("10.0.0.1") + line.formatted("10.0.0.1"), "-")
                        .out())
                .startsWith("Warning: all requests have one key, '10.0.0.1'" + choose);
        assertThat(Run.of(line.formatted("10.0.0.1") + line.formatted("10.0.0.2"), "-")
                        .out())
                .startsWith("Warning: each request has a key of its own" + choose);
        assertThat(Run.of(ACCESS, "-").out()).noneMatch(text -> text.startsWith("Warning"));
    }

    @Test
    void run_timesWithoutOffset_areInTheZone() {
        String log = "10.0.0.1:1 [22/Jul/2026:09:30:00.5] x\n";

        assertThat(Run.of(log, "-", "--zone", "Europe/Berlin").out())
                .startsWith(
                        "Warning: times without an offset are taken as Europe/Berlin; see --zone.",
                        "standard input: 1 request of 1 client, from 2026-07-22T07:30:00.500Z to"
                                + " 2026-07-22T07:30:00.500Z.");
        assertThat(Run.of(log, "-").out().get(0)).contains("taken as Z;");
    }

    @Test
    void run_columnsAndUnits_areUsed() throws Exception {
        Run run = run(
                file("log.txt", "2,x,a,1500\n1,x,a,2500\n"),
                "--columns",
                "4,3,1",
                "--time-unit",
                "ms",
                "--limit",
                "2/1s");

        assertThat(run.out().get(1))
                .contains("2 requests for 3 permits of 1 client, from 1970-01-01T00:00:01.500Z to"
                        + " 1970-01-01T00:00:02.500Z.");
        assertThat(words(run.out().get(4))).startsWith("2/1s", "1", "1");
    }

    @Test
    void run_standardInput_isRead() throws Exception {
        Run run = Run.of(ACCESS, "-", "--limit", "1/1m");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(0)).startsWith("standard input: 3 requests of 2 clients, from 2026-11-22T09:30:00Z");
    }

    @Test
    void run_severalFiles_areOneLog() throws Exception {
        Path first = file("first.csv", CSV);
        Path second = file("second.csv", "time,key\n11,b\n12,c\n");

        assertThat(run(first, second).out().get(0)).contains("7 requests of 3 clients");
    }

    /** As a shell orders access.log*: the youngest first, and 10 before 2. */
    @Test
    void run_rotatedFiles_areReadInTheOrderOfTheirTimes() throws Exception {
        List<Object> args = new ArrayList<>(List.of("--limit", "2/10s", file("access.log", "x\n\n" + line(11))));
        for (int age : new int[] {1, 10, 2, 3, 4, 5, 6, 7, 8, 9}) {
            args.add(Files.write(
                    dir.resolve("access.log." + age), LogFileTest.compressed("gz", line(11 - age) + line(11 - age))));
        }
        args.add(file("access.log.empty", ""));

        Run run = run(args.toArray());

        assertThat(run.out().get(1)).contains("21 requests of 1 client, from 2026-11-22T09:01:00Z");
        assertThat(run.out()).noneMatch(line -> line.contains("earlier than one before"));
        assertThat(run.out()).anyMatch(line -> line.matches("2/10s +21 +0 .*"));
    }

    private static String line(int minute) {
        return "10.0.0.1 - - [22/Nov/2026:09:%02d:00 +0000] \"GET /\" 200 1\n".formatted(minute);
    }

    @Test
    void run_pipeAmongFiles_isRejected() throws Exception {
        Path pipe = Path.of("/dev/null");
        assumeTrue(Files.exists(pipe));

        assertThat(run(file("log.csv", CSV), pipe).err())
                .containsExactly("ReplayLog: /dev/null: can be read once, so not with other files; --help lists all"
                        + " arguments");
    }

    /** Envoy's default form, with the regular expression of the README. */
    @Test
    void run_envoy_hasTheAddressThatEnvoyAdded() throws Exception {
        String option = Files.readString(Path.of("README.md"))
                .lines()
                .filter(line -> line.contains("Envoy") && line.contains("--key-regex"))
                .findFirst()
                .orElseThrow();
        String expression = option.substring(option.indexOf('\'') + 1, option.lastIndexOf('\''));
        String line = "%s[2026-11-22T09:30:00.310Z] \"GET /\\\"x, 10.9.9.9 HTTP/2\" 204 - 154 0 226 100 \"%s\""
                + " \"10.9.9.9, one\" \"cc21d9b0\" \"locations\" \"tcp://10.0.2.1:80\"\n";

        Run run = Run.of(
                line.formatted("", "192.0.2.7, 10.0.0.1")
                        + line.formatted("pod-1 ", "10.0.0.1")
                        + line.formatted("", "-"),
                "-",
                "--limit=1/1m",
                "--key-regex",
                expression);

        assertThat(run.out()).contains("1 line has no key, of 3.");
        assertThat(run.out()).filteredOn(text -> text.startsWith("10.0.0.1 ")).hasSize(1);
        assertThat(run.out().get(0)).startsWith("Warning: all requests have one key, '10.0.0.1'");
        assertThat(Run.of(line.formatted("", "10.0.0.1"), "-").err())
                .containsExactly("ReplayLog: standard input: none of 1 line has a key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gz", "bzip2", "xz"})
    void run_compressed_isTheSame(String compression) throws Exception {
        Path plain = file("log.csv", CSV);
        Path packed = Files.write(dir.resolve("packed"), LogFileTest.compressed(compression, CSV));

        Run run = run(packed, "--columns", "1,2", "--limit", "2/10s");

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
        Run run = run(file("access.log", "bad\u0007\n" + ACCESS + "\n" + "x\n".repeat(7)), "--limit", "1/1m");

        String name = dir.resolve("access.log").toString();
        assertThat(run.status()).isZero();
        assertThat(run.out().subList(1, 7))
                .containsExactly(
                        "8 lines are unreadable, of 11. The first:",
                        "  " + name + ", line 1: 'bad?': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 6: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 7: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 8: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]",
                        "  " + name + ", line 9: 'x': no time, such as [22/Nov/2026:09:30:00 +0100]");
    }

    @Test
    void run_longLine_isUnreadable() throws Exception {
        Run run =
                run(file("access.log", ACCESS + ACCESS.lines().findFirst().orElseThrow() + "x".repeat(70_000) + "\n"));

        assertThat(run.out()).contains("  " + dir.resolve("access.log") + ", line 4: longer than 65536 characters");
    }

    @Test
    void run_timesThatGoBack_areCounted() throws Exception {
        Run run = run(file("log.csv", "10,a\n7,a\n10,a\n9.5,b\n9.9,a\n"), "--limit", "3/1m");

        assertThat(run.status()).isZero();
        assertThat(run.out().get(1)).isEqualTo("3 requests are earlier than one before, by up to 3.0 s.");
        assertThat(words(run.out().get(4))).startsWith("3/1m", "4", "1");
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
                        "Permits of a client in its busiest interval:",
                        "busiest  half of clients  90 %  99 %  99.9 %  all",
                        "500ms                  5     9    10      10   10",
                        "1m                     5     9    15      15   15",
                        "",
                        "The smallest limits that refuse no more than 20.0 % of 10 clients, each alone: 8/500ms or 8/1m",
                        "Together: --limit 8/500ms,8/1m, which refuses 2 clients (20.0 %)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "--limit 60|no limit, such as 60/1m",
                "--limit 60/1w|no time span",
                "--limit 1/1m --limit 1/60s|--limit 1/1m: given twice",
                "--suggest 1|expected: from 0% to 100%",
                "--suggest 101%|expected: from 0% to 100%",
                "--intervals 0s|no time span",
                "--key name|expected one of [ADDRESS, USER, REQUEST, REFERER, AGENT]",
                "--key user --key-regex x|--key: not with --key-regex",
                "--key-regex (|Unclosed group near index 1",
                "--columns 1|--columns: [1] (expected: two or three columns from 1 to 1000)",
                "--zone Nowhere|'Nowhere'",
                "--columns 1,0|--columns: [1, 0] (expected: two",
                "--columns 1,2 --key user|--key: not with CSV: see --columns",
                "--time-unit min|expected one of [S, MS, US, NS]",
                "--top -1|--top: -1 (expected: at least 0)",
                "--limits 1/1m|Unknown option: '--limits'",
                "--limit|Missing required parameter for option '--limit'",
                "- -|-: can be read once, so not with other files"
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
    }

    @Test
    void run_help_listsAllOptions() {
        Run run = Run.of("", "--help");

        assertThat(run.status()).isZero();
        assertThat(String.join("\n", run.out()))
                .contains(
                        "--limit",
                        "--suggest",
                        "--intervals",
                        "--key",
                        "--key-regex",
                        "--networks",
                        "--columns",
                        "--time-unit",
                        "--zone",
                        "--top");
    }

    @Test
    void run_options_changeTheReport() throws Exception {
        Path log = file("log.csv", CSV + "11,b\n11,b\n");

        assertThat(run(log, "--limit", "1/1m", "--top", "1").out())
                .anyMatch(line -> line.startsWith("a "))
                .noneMatch(line -> line.startsWith("b "));
        assertThat(run(log, "--limit", "1/1m", "--top", "0").out()).noneMatch(line -> line.startsWith("Refused most"));
        assertThat(run(log, "--limit", "1/1d").out())
                .anyMatch(line -> line.startsWith("1m "))
                .noneMatch(line -> line.startsWith("1d "));
        assertThat(run(log, "--suggest", "0%").out()).noneMatch(line -> line.contains("granted"));
        assertThat(run(log).out())
                .anyMatch(line -> line.startsWith("60/1m,1000/1h"))
                .anyMatch(line -> line.startsWith("20/10s"));
    }
}
