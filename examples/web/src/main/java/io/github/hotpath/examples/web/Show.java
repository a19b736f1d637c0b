package io.github.hotpath.examples.web;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Clients of every kind, all at the same time, of one server by HTTP and one by gRPC with the same limits. */
final class Show {
    private static final Duration INTERVAL = Duration.ofSeconds(3);
    private static final int FREE = 10;
    private static final int PRO = 40;
    private static final int TENANT = 60;
    private static final int FAILED_LOGINS = 5;
    private static final Duration LENGTH = Duration.ofSeconds(7);

    private static final String FREE_CLIENT = "fay@north";
    private static final String PRO_CLIENT = "pam@north";
    private static final String GREEDY = "gus@south";
    private static final String BESIDE = "kim@south";
    private static final String FIRST_OF_TENANT = "tess@west";
    private static final String SECOND_OF_TENANT = "tom@west";
    private static final String BUYER = "leo@east";
    private static final String BY_GRPC = "ann@east";

    private final Accounts accounts = new Accounts(
            Stream.of(FREE_CLIENT, PRO_CLIENT, GREEDY, BESIDE, FIRST_OF_TENANT, SECOND_OF_TENANT, BUYER, BY_GRPC)
                    .collect(Collectors.toMap(UnaryOperator.identity(), user -> "password")));
    private final ServiceLimits limits = new ServiceLimits(
            Map.of(Plan.FREE, Limit.of(FREE, INTERVAL), Plan.PRO, Limit.of(PRO, INTERVAL)),
            Limit.of(TENANT, INTERVAL),
            Limit.of(10_000, Duration.ofSeconds(1)));
    private final LimitedService service;

    Show(MeterRegistry registry) {
        service = new LimitedService(
                accounts,
                limits,
                KeyedLimiter.of(Limit.of(FAILED_LOGINS, INTERVAL)),
                new LoginOrAddress(Set.of(InetAddress.getLoopbackAddress()), user -> user.replaceFirst(".*@", "")),
                System::nanoTime,
                registry);
    }

    /** Runs all clients, and returns what they were answered. */
    List<Tally> run() throws IOException, InterruptedException {
        for (String user : List.of(PRO_CLIENT, FIRST_OF_TENANT, SECOND_OF_TENANT)) {
            limits.setPlan(LoginOrAddress.loginKey(user), Plan.PRO);
        }
        ExecutorService threads = Executors.newCachedThreadPool();
        try (WebServer web = new WebServer(service.filters(), new Site(accounts));
                GrpcServer grpc = new GrpcServer(service.interceptors());
                GrpcCaller byGrpc = new GrpcCaller(grpc)) {
            HttpCaller http = new HttpCaller(web);
            long end = System.nanoTime() + LENGTH.toNanos();
            List<Callable<Tally>> clients = List.of(
                    () -> patient("free, waits as told", FREE_CLIENT, FREE, http, end),
                    () -> patient("pro, waits as told", PRO_CLIENT, PRO, http, end),
                    () -> greedy(http, end),
                    () -> steady(http, end),
                    () -> ofTenant("pro, first of two of a tenant", FIRST_OF_TENANT, http, end),
                    () -> ofTenant("pro, second of two of a tenant", SECOND_OF_TENANT, http, end),
                    () -> buyer(http),
                    () -> guesser(http),
                    () -> byGrpc(byGrpc));
            List<Tally> tallies = new ArrayList<>();
            for (Future<Tally> client : threads.invokeAll(clients)) {
                tallies.add(client.get());
            }
            checkTenant(tallies.get(4), tallies.get(5));
            return tallies;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Sends as fast as it is answered, and waits for as long as it is told. */
    private static Tally patient(String name, String user, int permits, HttpCaller http, long end)
            throws IOException, InterruptedException {
        Tally tally = new Tally(name);
        boolean hasWaited = false;
        while (System.nanoTime() - end < 0) {
            HttpCaller.Answer answer = http.get(user);
            tally.add(answer);
            tally.check(!(hasWaited && answer.isRefused()), "refused after Retry-After");
            hasWaited = answer.isRefused();
            TimeUnit.SECONDS.sleep(answer.retryAfterSeconds());
        }
        checkLimit(tally, permits, end);
        return tally;
    }

    /** Checks that no interval can have had more than {@code permits}: so many intervals have begun. */
    private static void checkLimit(Tally tally, int permits, long end) {
        long nanos = System.nanoTime() - end + LENGTH.toNanos();
        long most = permits * (nanos / INTERVAL.toNanos() + 1);
        tally.check(tally.served() <= most, "more than " + most);
        tally.check(tally.served() >= permits, "less than " + permits);
    }

    /** Sends as fast as it is answered, whatever the answer. */
    private static Tally greedy(HttpCaller http, long end) throws IOException, InterruptedException {
        Tally tally = new Tally("free, greedy");
        while (System.nanoTime() - end < 0) {
            tally.add(http.get(GREEDY));
        }
        checkLimit(tally, FREE, end);
        return tally;
    }

    /** Sends fewer requests than its limit has permits, and belongs to the tenant of the greedy one. */
    private static Tally steady(HttpCaller http, long end) throws IOException, InterruptedException {
        Tally tally = new Tally("free, beside it, of the same tenant");
        while (System.nanoTime() - end < 0) {
            tally.add(http.get(BESIDE));
            TimeUnit.NANOSECONDS.sleep(INTERVAL.dividedBy(FREE - 2).toNanos());
        }
        tally.check(tally.refused() == 0, "refused");
        return tally;
    }

    private static Tally ofTenant(String name, String user, HttpCaller http, long end)
            throws IOException, InterruptedException {
        Tally tally = new Tally(name);
        while (System.nanoTime() - end < 0) {
            HttpCaller.Answer answer = http.get(user);
            tally.add(answer);
            TimeUnit.SECONDS.sleep(answer.retryAfterSeconds());
        }
        tally.check(tally.served() > 0, "never served");
        return tally;
    }

    private static void checkTenant(Tally first, Tally second) {
        long served = (long) first.served() + second.served();
        long most = TENANT * (LENGTH.plus(INTERVAL).toNanos() / INTERVAL.toNanos() + 1);
        first.check(served <= most, "together more than " + most);
        first.check(first.policies().contains("tenant") || second.policies().contains("tenant"), "never the tenant's");
    }

    /** Uses up its limit, and buys the other plan: what it has been granted counts. */
    private Tally buyer(HttpCaller http) throws IOException, InterruptedException {
        Tally tally = new Tally("free, then pro");
        while (tally.refused() == 0) {
            tally.add(http.get(BUYER));
        }
        tally.check(tally.served() == FREE, "not " + FREE + " as free");
        limits.setPlan(LoginOrAddress.loginKey(BUYER), Plan.PRO);
        while (tally.refused() == 1) {
            tally.add(http.get(BUYER));
        }
        tally.check(tally.served() == PRO, "not " + PRO + " with the rest as pro");
        return tally;
    }

    /** Guesses a password until even the right one is refused, which another address may use. */
    private static Tally guesser(HttpCaller http) throws IOException, InterruptedException {
        Tally tally = new Tally("guesses passwords");
        while (tally.refused() == 0) {
            tally.add(http.logIn("192.0.2.1", FREE_CLIENT, "guess" + tally.served()));
        }
        tally.check(tally.served() == FAILED_LOGINS, "not " + FAILED_LOGINS + " guesses");
        HttpCaller.Answer refused = http.logIn("192.0.2.1", FREE_CLIENT, "password");
        tally.add(refused);
        tally.check(refused.isRefused(), "served although too many failed");
        HttpCaller.Answer elsewhere = http.logIn("192.0.2.2", FREE_CLIENT, "password");
        tally.check(elsewhere.status() == 200, "another address refused");
        TimeUnit.SECONDS.sleep(refused.retryAfterSeconds());
        HttpCaller.Answer afterwards = http.logIn("192.0.2.1", FREE_CLIENT, "password");
        tally.add(afterwards);
        tally.check(afterwards.status() == 200, "refused after Retry-After");
        return tally;
    }

    /** Calls until it is refused, then once before the delay has passed, and once after it. */
    private static Tally byGrpc(GrpcCaller grpc) throws IOException, InterruptedException {
        Tally tally = new Tally("free, by gRPC");
        while (tally.refused() == 0) {
            tally.addCall(grpc.call(BY_GRPC));
        }
        tally.check(tally.served() == FREE, "not " + FREE);
        TimeUnit.NANOSECONDS.sleep(INTERVAL.dividedBy(2).toNanos());
        long delayNanos = grpc.call(BY_GRPC);
        tally.addCall(delayNanos);
        tally.check(delayNanos > 0, "served too early");
        TimeUnit.NANOSECONDS.sleep(delayNanos);
        tally.addCall(grpc.call(BY_GRPC));
        tally.check(tally.served() == FREE + 1, "refused after the delay");
        return tally;
    }
}
