package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import io.github.hotpath.examples.support.ChildJvm;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Measures how many permits the clients of three members are granted in a second, of one key and of a thousand, with
 * few clients and with many; and how long a refusal takes in the member itself. Several fleets are measured, in turn
 * with another engine if there is a command for it. Writes the results in the form of JMH's JSON, and prints the table
 * of the document.
 *
 * <pre>mvn -q compile exec:java -pl examples/fleet -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.fleet.MeasureFleet -Dexec.args=docs/performance/raw</pre>
 */
@Command(name = "MeasureFleet")
public final class MeasureFleet implements Callable<Integer> {
    private static final String ENGINE = "Apache Ratis";
    private static final int[] CLIENTS = {6, 96};
    private static final int[] KEYS = {1, 1_000};
    private static final int TIMES = 5;
    private static final Duration TIME = Duration.ofSeconds(2);

    /** Two processors that have three JVMs to run would be busy with C2 for minutes. */
    private static final String C1 = "-XX:TieredStopAtLevel=1";

    private static final int REFUSALS = 20_000_000;

    /** What another program prints of the same figure. */
    private static final Pattern PRINTED = Pattern.compile(".*method=granted.*keys=(\\d+), values=\\[(.*)]]");

    @Parameters(paramLabel = "DIRECTORY", description = "into which the results are written")
    private @Nullable Path directory;

    @Option(names = "--fleets", defaultValue = "3", description = "how many are measured, one after the other")
    private int fleets;

    @Option(names = "--warm-up", defaultValue = "10", description = "in seconds, before each figure")
    private int warmUp;

    @Option(
            names = "--beside",
            description = "a command that measures Infinispan, with the number of clients as its end")
    private @Nullable String beside;

    /** For each method, engine, number of clients and of keys: what was measured in each fleet. */
    private final Map<Figure, List<List<Double>>> figures = new LinkedHashMap<>();

    private MeasureFleet() {}

    /** Measures, and writes the results into the directory that is given. */
    public static void main(String[] args) {
        int status = new CommandLine(new MeasureFleet()).execute(args);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws Exception {
        for (int i = 0; i < fleets; i++) {
            LimitFleet.inTemporary(dir -> {
                try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS, C1)) {
                    for (int clients : CLIENTS) {
                        for (int keys : KEYS) {
                            granted(fleet, clients, keys);
                        }
                    }
                    refused(fleet);
                }
                return 0;
            });
            for (int clients : CLIENTS) {
                measureBeside(clients);
            }
            write(requireNonNull(directory)
                    .resolve("fleet-jdk" + Runtime.version().feature() + ".json"));
        }
        printTable();
        return 0;
    }

    private void add(Figure figure, List<Double> values) {
        figures.computeIfAbsent(figure, added -> new ArrayList<>()).add(values);
        System.out.println(figure + " " + values);
    }

    private void measureBeside(int clients) throws Exception {
        if (beside == null) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(beside.split(" ")));
        command.add(Integer.toString(clients));
        ChildJvm.run(command, line -> {
            Matcher printed = PRINTED.matcher(line);
            if (printed.matches()) {
                Figure figure = new Figure("granted", "Infinispan", clients, Integer.parseInt(printed.group(1)));
                add(
                        figure,
                        Stream.of(printed.group(2).split(", "))
                                .map(Double::valueOf)
                                .toList());
            }
        });
    }

    /** The limit is never reached. */
    private void granted(Fleet fleet, int clients, int keys) throws Exception {
        Rule rule = new Rule("granted-%d-of-%d".formatted(clients, keys), 1_000_000_000, Duration.ofSeconds(1));
        fleet.limit(rule);
        fleet.leader();
        fleet.start(rule.name(), keys, clients / Fleet.DATA_MEMBERS);
        passed(fleet, rule, Duration.ofSeconds(warmUp));
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            values.add(passed(fleet, rule, TIME));
        }
        fleet.stop();
        add(new Figure("granted", ENGINE, clients, keys), values);
    }

    /** Returns how many permits were granted in a second of that time. */
    private static double passed(Fleet fleet, Rule rule, Duration time) throws Exception {
        long granted = fleet.granted(rule.name());
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        double perSecond = (fleet.granted(rule.name()) - granted) * 1e9 / (System.nanoTime() - start);
        if (perSecond == 0) {
            throw new IllegalStateException("the logs are full");
        }
        return perSecond;
    }

    /** One thread of one member: the others have nothing to do with it. */
    private void refused(Fleet fleet) throws Exception {
        Rule rule = new Rule("refused", 1, Duration.ofHours(1));
        fleet.limit(rule);
        fleet.ask(0, "refuse " + REFUSALS);
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            values.add(Double.parseDouble(fleet.ask(0, "refuse " + REFUSALS)));
        }
        add(new Figure("refused", ENGINE, 1, 1), values);
    }

    private record Figure(String method, String engine, int clients, int keys) {
        private String json(List<List<Double>> values) {
            boolean rate = method.equals("granted");
            return String.format(
                    Locale.ROOT,
                    "  {\"benchmark\": \"MeasureFleet.%s\", \"mode\": \"%s\", \"threads\": %d,%n"
                            + "    \"params\": {\"engine\": \"%s\", \"clients\": \"%d\", \"keys\": \"%d\"},%n"
                            + "    \"primaryMetric\": {\"scoreUnit\": \"%s\", \"rawData\": %s},%n"
                            + "    \"secondaryMetrics\": {}}",
                    method,
                    rate ? "thrpt" : "avgt",
                    clients,
                    engine,
                    clients,
                    keys,
                    rate ? "calls/s" : "ns/op",
                    values.stream()
                            .map(fleet -> fleet.stream()
                                    .map(value -> String.format(Locale.ROOT, "%.1f", value))
                                    .toList())
                            .toList());
        }
    }

    private void write(Path file) throws IOException {
        Files.writeString(
                file,
                figures.entrySet().stream()
                        .map(figure -> figure.getKey().json(figure.getValue()))
                        .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }

    private void printTable() {
        System.out.println("| engine, clients | granted in a second, keys: 1 | granted in a second, keys: 1,000 "
                + "| refused locally, ns |\n| --- | ---: | ---: | ---: |");
        figures.keySet().stream()
                .map(figure -> new Figure("", figure.engine, figure.clients, 0))
                .distinct()
                .forEach(row -> System.out.printf(
                        "| %s, %d | %s | %s | %s |%n",
                        row.engine,
                        row.clients,
                        cell(new Figure("granted", row.engine, row.clients, 1)),
                        cell(new Figure("granted", row.engine, row.clients, 1_000)),
                        cell(new Figure("refused", row.engine, row.clients, 1))));
    }

    /** The median of the fleets, of each of which it is the median, and their range; two digits count. */
    private String cell(Figure figure) {
        List<List<Double>> values = figures.get(figure);
        if (values == null) {
            return "–";
        }
        List<Double> medians =
                values.stream().map(MeasureFleet::median).sorted().toList();
        return rounded(median(medians)) + " (" + rounded(medians.get(0)) + "–"
                + rounded(medians.get(medians.size() - 1)) + ")";
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static String rounded(double value) {
        return String.format(
                Locale.ROOT,
                "%,d",
                new BigDecimal(value).round(new MathContext(2)).intValue());
    }
}
