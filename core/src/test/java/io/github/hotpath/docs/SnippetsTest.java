package io.github.hotpath.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.limit.BlockingLimiter;
import io.github.hotpath.limit.Decision;
import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.Limiter;
import io.github.hotpath.limit.Quota;
import io.github.hotpath.limit.Reservation;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of README and docs, run. {@link DocsTest} checks that both are the same. */
@SuppressWarnings("UnusedVariable") // a reader is shown what there is to use
class SnippetsTest {
    @TempDir
    Path temp;

    private Path dir;
    private Path file;
    private long waited;
    private String told = "";
    private int sends;

    @BeforeEach
    void choosePaths() {
        dir = temp.resolve("dir");
        file = temp.resolve("parent").resolve("file");
    }

    private record Request(String client) {}

    private static final class Response {
        int status = 200;
        String header = "";

        void setStatus(int code) {
            status = code;
        }

        void setHeader(String name, String value) {
            header = name + ": " + value;
        }
    }

    private static final class Service {
        int handled;

        private final KeyedLimiter<String> limiter = KeyedLimiter.of( // one for all clients and threads
                Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));

        void serve(Request request, Response response) {
            long waitNanos = limiter.forKey(request.client()).tryAcquireOrDelay(System.nanoTime(), 1); // one permit
            if (waitNanos == 0) {
                handle(request, response);
            } else {
                response.setStatus(429);
                if (waitNanos < Long.MAX_VALUE) {
                    long seconds = (waitNanos - 1) / 1_000_000_000 + 1; // rounded up
                    response.setHeader("Retry-After", Long.toString(seconds));
                }
            }
        }

        private void handle(Request unused, Response response) {
            response.setStatus(200);
            handled++;
        }
    }

    @Test
    void guide_serve() {
        Service service = new Service();
        for (int i = 0; i < 60; i++) {
            service.serve(new Request("alice"), new Response());
        }
        Response refused = new Response();
        service.serve(new Request("alice"), refused);
        service.serve(new Request("bob"), new Response());

        assertThat(service.handled).isEqualTo(61);
        assertThat(refused.status).isEqualTo(429);
        assertThat(refused.header).matches("Retry-After: ([1-9]|[1-5][0-9]|60)");
    }

    class Hello {
        public static void main(String[] args) throws IOException {
            EventWindow window = EventWindow.of(Duration.ofMinutes(1));
            long lastMinute = window.record(System.nanoTime()); // this event included
            long lastSecond = window.count(System.nanoTime(), Duration.ofSeconds(1)); // and any shorter span

            Path dir = Path.of("target/hello");
            Path file = dir.resolve("2026/hello.txt");
            Dirs.ensure(dir); // one system call if it exists
            Files.writeString(Dirs.ensureParent(file), "text"); // one system call if the parent exists
            Dirs.withParent(file, f -> Files.writeString(f, "text")); // no further call if the parent exists
        }
    }

    @Test
    void readme_hello() throws IOException {
        Hello.main(new String[0]);

        Path file = Path.of("target/hello/2026/hello.txt");
        assertThat(file).hasContent("text");
        Files.delete(file);
    }

    @Test
    void readme_limit() {
        String client = "alice";
        KeyedLimiter<String> limiter =
                KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));

        long waitNanos = limiter.forKey(client).tryAcquireOrDelay(System.nanoTime(), 1); // 0: granted

        assertThat(waitNanos).isZero();
    }

    @Test
    void javadoc_slidingWindowLimiter() {
        SlidingWindowLimiter limiter =
                SlidingWindowLimiter.of(Limit.of(60, Duration.ofMinutes(1)), Limit.of(1000, Duration.ofHours(1)));

        if (!limiter.tryAcquire(System.nanoTime(), 1)) {
            refuse();
        }

        long waitNanos = limiter.tryAcquireOrDelay(System.nanoTime(), 1); // 0 if granted
        if (waitNanos > 0) {
            retryAfter(waitNanos);
        }

        assertThat(waited).isZero();
        assertThat(limiter.toString()).contains("available=58");
    }

    private void refuse() {
        waited++;
    }

    @Test
    void javadoc_blockingLimiter() throws InterruptedException {
        int estimate = 1200;

        SlidingWindowLimiter quota = SlidingWindowLimiter.of(
                Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofMinutes(1)));
        BlockingLimiter turns = BlockingLimiter.of(quota); // one for all threads

        Reservation turn = turns.acquire(estimate); // waits in line
        turn.adjustTo(send(estimate)); // the permits used

        assertThat(turn.isGranted()).isTrue();
        assertThat(quota.available(System.nanoTime())).isEqualTo(100_000 - 870);
    }

    private static int send(int estimate) {
        return estimate - 330;
    }

    @Test
    void javadoc_keyedLimiter() {
        String address = "192.0.2.1";

        KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));

        long waitNanos = limiter.forKey(address).tryAcquireOrDelay(System.nanoTime(), 1);
        if (waitNanos == 0) {
            send();
        } else {
            retryAfter(waitNanos);
        }

        assertThat(waited).isZero();
        assertThat(sends).isEqualTo(1);
        assertThat(limiter.forKey(address).available(System.nanoTime())).isEqualTo(59);
    }

    @Test
    void javadoc_withParent() throws IOException {
        String document = "text";

        Dirs.withParent(file, f -> {
            save(document, f);
            return null;
        });

        assertThat(file).hasContent("text");
    }

    private static void save(String document, Path file) throws IOException {
        Files.writeString(file, document);
    }

    /** Yesterday's log: at the present time nothing of it counts. */
    @Test
    void guide_eventTime() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        Instant time = Instant.now().minus(Duration.ofDays(1));

        long nanos = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
        long lastMinute = window.record(nanos); // the events of the minute up to the latest one
        long lastSecond = window.count(nanos, Duration.ofSeconds(1));

        assertThat(lastMinute).isEqualTo(1);
        assertThat(lastSecond).isEqualTo(1);
        long present = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        assertThat(window.count(present)).isZero();
        window.trim(present);
        assertThat(window.record(nanos + 1)).isZero();
    }

    @Test
    void guide_spans() {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        window.record(System.nanoTime() - Duration.ofSeconds(30).toNanos());
        window.record(System.nanoTime() - Duration.ofSeconds(5).toNanos());

        long now = System.nanoTime();
        long inSecond = window.count(now, Duration.ofSeconds(1));
        long inMinute = window.count(now);

        // However long a pause there is between two lines.
        assertThat(inSecond).isZero();
        assertThat(inMinute).isLessThanOrEqualTo(2);
    }

    @Test
    void guide_limit() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, Duration.ofSeconds(1)));

        if (limiter.tryAcquire(System.nanoTime(), 1)) {
            send();
        }

        assertThat(sends).isEqualTo(1);
    }

    @Test
    void guide_asManyAsAreLeft() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, Duration.ofMinutes(1)));
        limiter.tryAcquire(System.nanoTime(), 70);

        long nanos = System.nanoTime();
        int taken;
        do {
            taken = (int) Math.min(50, limiter.available(nanos)); // at most 50, as many as are left
        } while (taken > 0 && !limiter.tryAcquire(nanos, taken));

        assertThat(taken).isEqualTo(30);
        assertThat(limiter.available(nanos)).isZero();
    }

    @Test
    void guide_reserve() throws InterruptedException {
        SlidingWindowLimiter quota = SlidingWindowLimiter.of(
                Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofMinutes(1)));

        boolean admitted = quota.tryAcquire(System.nanoTime(), 1200); // one call of 1200 tokens

        reserve(quota);
        assertThat(admitted).isTrue();
        assertThat(quota.toString()).contains("available=" + (100_000 - 1200 - 870));

        long now = System.nanoTime();
        quota.closeFor(now, Duration.ofSeconds(9)); // or it would not sleep
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> reserve(quota)).isInstanceOf(InterruptedException.class);
        assertThat(quota.available(now + Duration.ofSeconds(9).toNanos())).isEqualTo(100_000 - 1200 - 870);
    }

    private void reserve(SlidingWindowLimiter quota) throws InterruptedException {
        Reservation turn = quota.reserve(System.nanoTime(), 1200, Duration.ofSeconds(10));
        if (turn.isGranted()) {
            try {
                TimeUnit.NANOSECONDS.sleep(turn.delayNanos());
            } catch (InterruptedException e) {
                turn.cancel(); // not sent: releases the permits
                throw e;
            }
            turn.adjustTo(send(1200)); // the permits used
        }
    }

    @Test
    void javadoc_limiterForAService() {
        KeyedLimiter<String> users = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));
        KeyedLimiter<String> tenants = KeyedLimiter.of(Limit.of(600, Duration.ofMinutes(1)));
        SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(1000, Duration.ofSeconds(1)));
        String user = "alice";
        String tenant = "acme";

        Limiter all = Limiter.allOf(users.forKey(user), tenants.forKey(tenant), service);
        long waitNanos = all.tryAcquireOrDelay(System.nanoTime(), 1);
        if (waitNanos > 0) {
            retryAfter(waitNanos);
        }

        assertThat(waited).isZero();
        assertThat(users.forKey(user).available(System.nanoTime())).isEqualTo(59);

        Decision decision = all.decide(System.nanoTime(), 1);
        for (Quota quota : decision.quotas()) {
            tell(quota.limit(), quota.remaining(), quota.nanosUntilMore());
        }

        assertThat(told).startsWith("[1000, ");

        long now = System.nanoTime();
        all.record(System.nanoTime(), 3);
        all.closeFor(System.nanoTime(), Duration.ofSeconds(20));

        assertThat(all.available(now)).isZero();
        assertThat(users.forKey(user)
                        .available(System.nanoTime() + Duration.ofSeconds(20).toNanos()))
                .isEqualTo(55);
    }

    @Test
    void javadoc_interfaceOfYourOwn() {
        KeyedLimiter<String> limiter = KeyedLimiter.of(Limit.of(1, Duration.ofMinutes(1)));

        interface Quotas {
            long tryAcquireOrDelay(String client);
        }
        Quotas quotas = client -> limiter.forKey(client).tryAcquireOrDelay(System.nanoTime(), 1);

        assertThat(quotas.tryAcquireOrDelay("alice")).isZero();
        assertThat(quotas.tryAcquireOrDelay("alice")).isPositive();
    }

    @Test
    void javadoc_decision() {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(2, Duration.ofMinutes(1)));

        Decision decision = limiter.decide(System.nanoTime(), 1);
        for (Quota quota : decision.quotas()) {
            tell(quota.limit(), quota.remaining(), quota.exceeded());
        }

        assertThat(told).isEqualTo("[2, 1, false]");
    }

    @Test
    void javadoc_limitsByKey() {
        List<Limit> free = List.of(Limit.of(60, Duration.ofMinutes(1)));
        List<Limit> pro = List.of(Limit.of(600, Duration.ofMinutes(1)));

        KeyedLimiter<String> limiter = KeyedLimiter.of(client -> isPro(client) ? pro : free);

        assertThat(limiter.forKey("alice").available(0)).isEqualTo(60);
        assertThat(limiter.forKey("acme").available(0)).isEqualTo(600);
        limiter.forKey("alice").tryAcquire(0, 1);

        limiter.updateAllLimits();
        assertThat(limiter.forKey("alice").available(0)).isEqualTo(59);

        limiter.updateLimits("alice"); // a client has bought another plan
        limiter.updateAllLimits(); // all clients, after reloading the configuration
        limiter.remove("alice"); // a client was blocked by mistake, and starts over

        assertThat(limiter.forKey("alice").available(0)).isEqualTo(60);
    }

    private static boolean isPro(String client) {
        return client.equals("acme");
    }

    private void tell(Limit limit, Object... others) {
        told = Arrays.asList(limit.max(), others[0], others[1]).toString();
    }

    @Test
    void guide_wait() throws InterruptedException {
        SlidingWindowLimiter quota = SlidingWindowLimiter.of(
                Limit.ofCalls(60, Duration.ofMinutes(1)), Limit.of(100_000, Duration.ofMinutes(1)));

        BlockingLimiter turns = BlockingLimiter.of(quota, 100); // one for all threads, of which 100 may wait

        sendInTurn(turns);

        assertThat(waited).isZero();
        assertThat(quota.available(System.nanoTime())).isEqualTo(100_000 - 870);
    }

    private static final long NANOS_PER_CALL = TimeUnit.SECONDS.toNanos(1);

    private void sendInTurn(BlockingLimiter turns) throws InterruptedException {
        Reservation turn =
                turns.tryAcquire(1200, Duration.ofSeconds(5)); // or InterruptedException: nothing was acquired
        if (turn.isGranted()) {
            turn.adjustTo(send(1200)); // used less: wakes the next if it now fits
        } else {
            retryAfter(turn.delayNanos() + turns.waiting() * NANOS_PER_CALL); // a second: 60 calls a minute
        }
    }

    /** One call was made each second, and ten wait: the next may be made in half a second, and the eleventh in 10.5. */
    @Test
    void guide_lineIsFull() throws InterruptedException {
        AtomicLong clock = new AtomicLong();
        SlidingWindowLimiter quota = SlidingWindowLimiter.of(Limit.ofCalls(60, Duration.ofMinutes(1)));
        BlockingLimiter turns = BlockingLimiter.of(quota, clock::get, 10);
        for (int i = 0; i < 60; i++) {
            quota.tryAcquire(i * NANOS_PER_CALL, 1);
        }
        clock.set(60 * NANOS_PER_CALL - NANOS_PER_CALL / 2);
        ScheduledExecutorService never = Executors.newSingleThreadScheduledExecutor();
        List<CompletableFuture<Reservation>> line = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            line.add(turns.acquireAsync(1, never));
        }

        sendInTurn(turns);

        line.forEach(turn -> turn.cancel(false));
        never.shutdown();
        assertThat(waited).isEqualTo(10 * NANOS_PER_CALL + NANOS_PER_CALL / 2 + 1);
    }

    @Test
    void guide_waitWithoutAThread() {
        SlidingWindowLimiter quota = SlidingWindowLimiter.of(Limit.of(100_000, Duration.ofMinutes(1)));
        BlockingLimiter turns = BlockingLimiter.of(quota);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        ExecutorService workers = Executors.newSingleThreadExecutor();

        CompletableFuture<Reservation> turn =
                turns.acquireAsync(1200, scheduler).orTimeout(5, TimeUnit.SECONDS);
        CompletableFuture<Void> sent = turn.thenAcceptAsync(
                granted -> granted.adjustTo(send(1200)), workers); // send blocks, and the scheduler must not

        sent.join();
        scheduler.shutdown();
        workers.shutdown();
        assertThat(quota.available(System.nanoTime())).isEqualTo(100_000 - 870);
    }

    @Test
    void guide_exactOrBounded() {
        BoundedEventWindow bytes = BoundedEventWindow.of(Duration.ofMinutes(1), 0.01);

        bytes.record(System.nanoTime(), 1500); // several at once: here a packet's bytes
        long nanos = System.nanoTime();
        long atLeast = bytes.countAtLeast(nanos);
        long atMost = bytes.countAtMost(nanos); // at most 1% more

        assertThat(atLeast).isEqualTo(1500);
        assertThat(atMost).isEqualTo(1500);
    }

    private void send() {
        sends++;
    }

    private void retryAfter(long nanos) {
        waited += nanos;
    }

    @Test
    void guide_manyThreads() {
        ConcurrentEventWindow requests = ConcurrentEventWindow.of(Duration.ofMinutes(1));

        requests.record(System.nanoTime()); // any thread
        long lastMinute = requests.count(System.nanoTime()); // any other

        assertThat(lastMinute).isEqualTo(1);
    }

    void writeMoment(DataOutput out) throws IOException {
        out.writeLong(System.nanoTime());
        out.writeLong(System.currentTimeMillis());
    }

    long readShift(DataInput in) throws IOException {
        long writtenNanos = in.readLong();
        long agoMillis = System.currentTimeMillis() - in.readLong();
        long agoNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, agoMillis)); // 0 if the clock was set back
        return System.nanoTime() - agoNanos - writtenNanos;
    }

    private final class State {
        EventWindow window = EventWindow.of(Duration.ofMinutes(1));
        ConcurrentEventWindow requests = ConcurrentEventWindow.of(Duration.ofMinutes(1));
        SlidingWindowLimiter service = SlidingWindowLimiter.of(Limit.of(100, Duration.ofMinutes(1)));
        KeyedLimiter<String> clients = KeyedLimiter.of(Limit.of(60, Duration.ofMinutes(1)));

        void write(DataOutput out) throws IOException {
            writeMoment(out);
            window.writeTo(out); // an EventWindow, with its interval
            requests.snapshot().writeTo(out); // a ConcurrentEventWindow, as an EventWindow
            service.writeTo(out); // a SlidingWindowLimiter, with its limits
            clients.writeTo(out, (client, keyOut) -> keyOut.writeUTF(client)); // a KeyedLimiter, without its limits
        }

        void read(DataInput in, List<Limit> limits) throws IOException {
            long shift = readShift(in);
            window = EventWindow.readFrom(in, shift);
            requests = ConcurrentEventWindow.of(EventWindow.readFrom(in, shift));
            service = SlidingWindowLimiter.readFrom(in, shift);
            clients = KeyedLimiter.readFrom(in, DataInput::readUTF, shift, client -> limits);
        }
    }

    @Test
    void guide_restart() throws IOException {
        State before = new State();
        before.window.record(System.nanoTime());
        before.requests.record(System.nanoTime());
        before.service.tryAcquire(System.nanoTime(), 1);
        before.clients.forKey("192.0.2.1").tryAcquire(System.nanoTime(), 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        before.write(new DataOutputStream(bytes));

        State after = new State();
        List<Limit> limits = List.of(Limit.of(600, Duration.ofMinutes(1)));
        after.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), limits);

        long now = System.nanoTime();
        assertThat(after.window.count(now)).isEqualTo(1);
        assertThat(after.requests.count(now)).isEqualTo(1);
        assertThat(after.service.available(now)).isEqualTo(99);
        assertThat(after.clients.forKey("192.0.2.1").available(now)).isEqualTo(599);
        long later = now + Duration.ofSeconds(61).toNanos();
        assertThat(after.window.count(later)).isZero();
        assertThat(after.requests.count(later)).isZero();
        assertThat(after.service.available(later)).isEqualTo(100);
        assertThat(after.clients.forKey("192.0.2.1").available(later)).isEqualTo(600);
    }

    /** Written by a wall clock that was an hour ahead: what was granted is as old as if no time had passed. */
    @Test
    void guide_restart_clockSetBack_noTimeHasPassed() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        long written = System.nanoTime();
        out.writeLong(written);
        out.writeLong(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1));

        long shift = readShift(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        assertThat(written + shift).isBetween(written, System.nanoTime());
    }

    static final class Invitations {
        private final SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(3, Duration.ofMinutes(1)));
        private final LongSupplier nanoClock;

        Invitations(LongSupplier nanoClock) {
            this.nanoClock = nanoClock;
        }

        boolean invite(String guest) {
            return limiter.tryAcquire(nanoClock.getAsLong(), 1); // and send a mail
        }
    }

    @Test
    void fourthInvitation_isRefusedForAMinute() {
        AtomicLong clock = new AtomicLong();
        Invitations invitations = new Invitations(clock::get);
        for (String guest : List.of("alice", "bob", "carol")) {
            assertThat(invitations.invite(guest)).isTrue();
        }

        clock.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(invitations.invite("dave")).isFalse(); // exactly a minute old still counts

        clock.addAndGet(1);
        assertThat(invitations.invite("dave")).isTrue();
    }

    @Test
    void guide_afterGuava() throws InterruptedException {
        SlidingWindowLimiter limiter = SlidingWindowLimiter.of(Limit.of(100, Duration.ofSeconds(1)));
        boolean admitted = limiter.tryAcquire(System.nanoTime(), 1);

        assertThat(admitted).isTrue();

        BlockingLimiter turns = BlockingLimiter.of(limiter);
        turns.acquire(1); // waits
        boolean soon = turns.tryAcquire(1, Duration.ZERO).isGranted();

        assertThat(soon).isTrue();
    }

    @Test
    void migration_afterArrayDeque() throws IOException {
        long nanos = System.nanoTime();

        EventWindow window = EventWindow.of(Duration.ofMinutes(1));

        long count = window.record(nanos);
        Dirs.ensure(dir);

        assertThat(count).isEqualTo(1);
        assertThat(dir).isDirectory();
    }

    @Test
    void guide_afterBucket4j() {
        SlidingWindowLimiter bucket = SlidingWindowLimiter.of(Limit.of(60, Duration.ofMinutes(1)));
        Decision decision = bucket.decide(System.nanoTime(), 1);
        if (decision.isGranted()) {
            tellRemaining(decision.quotas().get(0).remaining());
        } else {
            retryAfter(decision.delayNanos());
        }

        assertThat(told).isEqualTo("59");
        assertThat(waited).isZero();
    }

    private void tellRemaining(long permits) {
        told = Long.toString(permits);
    }

    @Test
    void guide_files() throws IOException {
        Dirs.ensure(dir); // one system call if it exists
        Files.writeString(Dirs.ensureParent(file), "text"); // one system call if the parent exists
        Dirs.withParent(file, f -> Files.writeString(f, "text")); // no further call if the parent exists

        assertThat(file).hasContent("text");
    }

    @Test
    void guide_listing() throws IOException {
        Files.writeString(Files.createDirectory(dir).resolve("a"), "text");

        long bytes = 0;
        for (Dirs.Entry entry : Dirs.entries(dir)) {
            bytes += entry.attributes().size();
        }

        assertThat(bytes).isEqualTo(4);
    }
}
