package io.github.hotpath.examples.web;

import com.google.common.math.Quantiles;
import com.sun.management.OperatingSystemMXBean;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many requests a second a Tomcat answers without the filters, with them, and when they refuse: in turns, so that
 * what else the machine does concerns all of them alike. The clients run on the same processors. The time of processors
 * for a request is that of both, and depends less on what else runs.
 */
final class Throughput {
    private static final int CONNECTIONS = 4;
    private static final Duration WARM_UP = Duration.ofMillis(1_500);
    private static final Duration TURN = Duration.ofMillis(400);
    private static final int TURNS = 9;
    private static final Limit ANY_NUMBER = Limit.of(Integer.MAX_VALUE, Duration.ofMinutes(1));
    private static final Limit NONE_AFTER_THE_FIRST = Limit.of(1, Duration.ofHours(1));

    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final List<String> users =
            IntStream.range(0, CONNECTIONS).mapToObj(i -> "user" + i).toList();
    private final Accounts accounts =
            new Accounts(users.stream().collect(Collectors.toMap(UnaryOperator.identity(), user -> "password")));

    /** Measures, and returns a line for each server. */
    List<String> measure() throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try (WebServer bare = new WebServer(new Site(accounts));
                WebServer granting = new WebServer(filters(ANY_NUMBER), new Site(accounts));
                WebServer refusing = new WebServer(filters(NONE_AFTER_THE_FIRST), new Site(accounts))) {
            List<WebServer> servers = List.of(bare, granting, refusing);
            for (WebServer server : servers) {
                turn(server, WARM_UP, threads);
            }
            List<List<Turn>> turns = servers.stream()
                    .map(server -> (List<Turn>) new ArrayList<Turn>())
                    .toList();
            for (int turn = 0; turn < TURNS; turn++) {
                for (int i = 0; i < servers.size(); i++) {
                    turns.get(i).add(turn(servers.get(i), TURN, threads));
                }
            }
            return List.of(
                    line("without the filters", turns.get(0), turns.get(0)),
                    line("with them, every request granted", turns.get(1), turns.get(0)),
                    line("with them, every request refused", turns.get(2), turns.get(0)));
        } finally {
            threads.shutdownNow();
        }
    }

    private ServletContainerInitializer filters(Limit client) {
        return new LimitedService(
                        accounts,
                        new ServiceLimits(Map.of(Plan.FREE, client, Plan.PRO, client), ANY_NUMBER, ANY_NUMBER),
                        KeyedLimiter.of(ANY_NUMBER),
                        new LoginOrAddress(Set.of(), user -> user),
                        System::nanoTime,
                        new SimpleMeterRegistry())
                .filters();
    }

    /** What one server did in one turn. */
    private record Turn(long requests, long nanos, long processorNanos) {
        double perSecond() {
            return requests * 1e9 / nanos;
        }

        double processorMicros() {
            return processorNanos / 1e3 / requests;
        }
    }

    private Turn turn(WebServer server, Duration duration, ExecutorService threads)
            throws IOException, InterruptedException {
        long processorBegin = process.getProcessCpuTime();
        long begin = System.nanoTime();
        List<Callable<Integer>> clients = users.stream()
                .map(user -> (Callable<Integer>) () -> requests(server, user, begin + duration.toNanos()))
                .toList();
        try {
            long requests = 0;
            for (Future<Integer> client : threads.invokeAll(clients)) {
                requests += client.get();
            }
            return new Turn(requests, System.nanoTime() - begin, process.getProcessCpuTime() - processorBegin);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private static int requests(WebServer server, String user, long end) throws IOException {
        try (KeepAliveClient client = new KeepAliveClient(server, user)) {
            int requests = 0;
            while (System.nanoTime() - end < 0) {
                client.get();
                requests++;
            }
            return requests;
        }
    }

    private static String line(String name, List<Turn> turns, List<Turn> bare) {
        List<Double> ratios = IntStream.range(0, turns.size())
                .mapToObj(i -> turns.get(i).perSecond() / bare.get(i).perSecond())
                .toList();
        return String.format(
                Locale.ROOT,
                "%-34s %,8.0f requests/s, %.2f of the rate without; %.0f us of processors each",
                name,
                median(turns.stream().map(Turn::perSecond).toList()),
                median(ratios),
                median(turns.stream().map(Turn::processorMicros).toList()));
    }

    private static double median(List<Double> numbers) {
        return Quantiles.median().compute(numbers);
    }
}
