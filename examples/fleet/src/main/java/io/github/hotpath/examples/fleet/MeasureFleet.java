package io.github.hotpath.examples.fleet;

import static java.util.Objects.requireNonNull;

import io.github.hotpath.examples.fleet.Fleet.Rule;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Measures how many permits the clients of three members are granted in a second, of one key and of a thousand, with
 * few clients and with many; and how long a refusal takes in the member itself. Writes the results in the form of JMH's
 * JSON: from there the tables of the documents are made.
 *
 * <pre>mvn -q compile exec:java -pl examples/fleet -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.fleet.MeasureFleet -Dexec.args=docs/performance/raw</pre>
 */
@Command(name = "MeasureFleet")
public final class MeasureFleet implements Callable<Integer> {
    private static final int[] CLIENTS = {6, 96};
    private static final int TIMES = 5;
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration TIME = Duration.ofSeconds(2);

    /** Two processors that have three JVMs to run would be busy with C2 for minutes. */
    private static final String C1 = "-XX:TieredStopAtLevel=1";

    private static final int REFUSALS = 20_000_000;

    @Parameters(paramLabel = "DIRECTORY", description = "into which the results are written")
    private @Nullable Path directory;

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
        List<Figure> figures = new ArrayList<>();
        LimitFleet.inTemporary(dir -> {
            try (Fleet fleet = Fleet.onLoopback(dir, Fleet.DATA_MEMBERS, C1)) {
                for (int clients : CLIENTS) {
                    for (int keys : new int[] {1, 1_000}) {
                        figures.add(granted(fleet, clients, keys, System.out));
                    }
                }
                figures.add(refused(fleet, System.out));
            }
            return 0;
        });
        write(requireNonNull(directory).resolve("fleet-jdk" + Runtime.version().feature() + ".json"), figures);
        return 0;
    }

    /** The limit is never reached. */
    private static Figure granted(Fleet fleet, int clients, int keys, PrintStream out) throws Exception {
        Rule rule = new Rule("granted-%d-of-%d".formatted(clients, keys), 1_000_000_000, Duration.ofSeconds(1));
        fleet.limit(rule);
        fleet.leader();
        fleet.start(rule.name(), keys, clients / Fleet.DATA_MEMBERS);
        Figure figure = new Figure("granted", "thrpt", "calls/s", clients, keys, new ArrayList<>());
        passed(fleet, rule, WARM_UP);
        for (int i = 0; i < TIMES; i++) {
            figure.values.add(passed(fleet, rule, TIME));
        }
        fleet.stop();
        out.println(figure);
        return figure;
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
    private static Figure refused(Fleet fleet, PrintStream out) throws Exception {
        Rule rule = new Rule("refused", 1, Duration.ofHours(1));
        fleet.limit(rule);
        Figure figure = new Figure("refused", "avgt", "ns/op", 1, 1, new ArrayList<>());
        fleet.ask(0, "refuse " + REFUSALS);
        for (int i = 0; i < TIMES; i++) {
            figure.values.add(Double.parseDouble(fleet.ask(0, "refuse " + REFUSALS)));
        }
        out.println(figure);
        return figure;
    }

    private record Figure(String method, String mode, String unit, int clients, int keys, List<Double> values) {
        private String json() {
            return String.format(
                    Locale.ROOT,
                    "  {\"benchmark\": \"MeasureFleet.%s\", \"mode\": \"%s\", \"threads\": %d,%n"
                            + "    \"params\": {\"engine\": \"Apache Ratis\", \"clients\": \"%d\", \"keys\": \"%d\"},%n"
                            + "    \"primaryMetric\": {\"scoreUnit\": \"%s\", \"rawData\": [[%s]]},%n"
                            + "    \"secondaryMetrics\": {}}",
                    method,
                    mode,
                    clients,
                    clients,
                    keys,
                    unit,
                    values.stream()
                            .map(value -> String.format(Locale.ROOT, "%.1f", value))
                            .collect(Collectors.joining(", ")));
        }
    }

    private static void write(Path file, List<Figure> figures) throws IOException {
        Files.writeString(file, figures.stream().map(Figure::json).collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    }
}
