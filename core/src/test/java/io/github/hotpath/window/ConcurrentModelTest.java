package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.window.Operation.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The calls of {@link EventWindowModelTest} on a {@link ConcurrentEventWindow}, one after another, whose results
 * must be those of {@link NaiveWindow}: on one thread, and on several in turns, so that the events are in several
 * stripes.
 */
class ConcurrentModelTest {
    @AutoClose
    private static final Relay RELAY = new Relay();

    @ParameterizedTest(name = "{0}, interval {1}, from {2}")
    @MethodSource("io.github.hotpath.window.EventWindowModelTest#cases")
    void calls_onOneThread_answerAsTheModel(Traffic.Kind kind, long interval, long start) {
        SplittableRandom random = Seed.random(kind + " " + interval + " " + start + ", one thread");
        Run run = new Run(interval, traffic(kind, interval, start, random));

        for (int left = length(kind); left > 0; left--) {
            run.call();
        }

        run.window.checkInvariants();
        assertThat(run.window.stripe().window.size()).isEqualTo(run.model.size()); // there is no other stripe
    }

    @ParameterizedTest(name = "{0}, interval {1}, from {2}")
    @MethodSource("io.github.hotpath.window.EventWindowModelTest#cases")
    void calls_handedFromThreadToThread_answerAsTheModel(Traffic.Kind kind, long interval, long start) {
        SplittableRandom random = Seed.random(kind + " " + interval + " " + start + ", in turns");
        Run run = new Run(interval, traffic(kind, interval, start, random.split()));
        Set<Stripe> used = Collections.newSetFromMap(new IdentityHashMap<>());
        Stripe base = run.window.stripe();
        Set<Stripe> stripes = RELAY.spread(run.window);
        stripes.add(base);

        for (int left = length(kind); left > 0; ) {
            int calls = 1 + random.nextInt(16);
            RELAY.run(random.nextInt(Relay.THREADS), () -> run.call(calls));
            left -= calls;
            stripes.stream().filter(stripe -> stripe.window.size() > 0).forEach(used::add);
        }

        // With a very long interval the steps are as wide, and wide steps are made with all stripes locked.
        if (interval < 1L << 60) {
            assertThat(used).isEqualTo(stripes);
        }
    }

    /** Times nearly 2^63 apart, and again close to earlier ones: where it is hard to decide what is out of order. */
    @ParameterizedTest(name = "interval {0}")
    @ValueSource(longs = {0, 10, 1L << 61, (1L << 62) + 3, 13L << 59, 7L << 60, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void calls_atTimesFarApart_answerAsTheModel(long interval) {
        SplittableRandom random = Seed.random("far apart " + interval);
        for (int sequence = 0; sequence < 200; sequence++) {
            Run run = new Run(interval, farApart(random.split()));
            RELAY.spread(run.window);

            for (int left = 60; left > 0; left--) {
                RELAY.run(random.nextInt(Relay.THREADS), run::call);
            }
        }
    }

    /**
     * When there are as many stripes as there may be, a thread that contends moves to the next stripe, and never to
     * the first.
     */
    @Test
    void separate_againAndAgain_goesRound() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(10);
        Stripe base = window.stripe();
        int most = Math.min(2 * Runtime.getRuntime().availableProcessors(), 64);
        List<Stripe> visited = new ArrayList<>();

        for (int i = 0; i < 3 * most; i++) {
            Stripe before = window.stripe();
            window.separate(before);
            assertThat(window.stripe()).isNotSameAs(before).isNotSameAs(base);
            visited.add(window.stripe());
        }

        Set<Stripe> stripes = Collections.newSetFromMap(new IdentityHashMap<>());
        stripes.addAll(visited);
        assertThat(stripes).hasSize(most);
        stripes.clear();
        stripes.addAll(visited.subList(2 * most, 3 * most));
        assertThat(stripes).hasSize(most);
    }

    /** Nothing has evicted the first event when the time jumps, and by then it would look young again. */
    @Test
    void recordAndCount_jumpAfterWhatHasJustExpired_countsAsAnEventWindow() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(Long.MAX_VALUE);
        EventWindow model = Windows.ofNanos(Long.MAX_VALUE);
        long justExpired = Long.MAX_VALUE + (1L << 50);
        window.record(0);
        model.record(0);
        assertThat(window.recordAndCount(Long.MAX_VALUE)).isEqualTo(model.record(Long.MAX_VALUE));
        window.record(justExpired);
        model.record(justExpired);

        assertThat(window.recordAndCount(justExpired + Long.MAX_VALUE))
                .isEqualTo(model.record(justExpired + Long.MAX_VALUE))
                .isEqualTo(2);
        assertThat(window.toArray()).isEqualTo(model.toArray());
    }

    /**
     * A time just behind the oldest event of a stripe may be nearly 2^63 before now. Compared with a now a little
     * further on, the difference would wrap, and the time would look later.
     */
    @Test
    void record_besideAnEventHalfOfAllTimesOld_isJudgedByNow() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(Long.MAX_VALUE);
        RELAY.spread(window);
        for (int times = 3; times > 0; times--) { // the first ones go to the first stripe
            record(1, window, 0);
        }
        record(2, window, Long.MAX_VALUE);
        window.trim(Long.MAX_VALUE);
        record(2, window, Long.MAX_VALUE + 100);

        record(1, window, 5);

        assertThat(window.toArray()).containsExactly(Long.MAX_VALUE + 100, 5);
    }

    /** A stripe advances by itself, but not so far that its times could no longer be compared with those of others. */
    @Test
    void record_alwaysInOneStripe_isStillJudgedByNow() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(Long.MAX_VALUE);
        EventWindow model = Windows.ofNanos(Long.MAX_VALUE);
        RELAY.spread(window);
        for (int times = 3; times > 0; times--) { // the first ones go to the first stripe
            record(1, window, 0);
            model.record(0);
        }

        long near = (1L << 61) - 1;
        for (long step = 0;
                step <= 5 << 11;
                step++) { // later each time, and out of order, until times have nearly wrapped
            for (long time : new long[] {near + (step << 50), near}) {
                record(2, window, time);
                model.record(time);
            }
        }

        assertThat(window.toArray()).containsExactly(model.toArray());
    }

    private static void record(int thread, ConcurrentEventWindow window, long nanos) {
        RELAY.run(thread, () -> window.record(nanos));
    }

    private static int length(Traffic.Kind kind) {
        return kind.isLarge() ? 12_000 : 800;
    }

    /**
     * Returns the calls of that traffic, but with stretches in which nearly all are records. Every other call makes the
     * stripes agree, so only in such a stretch can they fill up and drift apart.
     */
    private static IntFunction<Operation> traffic(
            Traffic.Kind kind, long interval, long start, SplittableRandom random) {
        Traffic traffic = new Traffic(kind, interval, start, random.split());
        boolean[] onlyRecords = {false};
        return count -> {
            onlyRecords[0] ^= random.nextInt(200) == 0;
            Operation call = traffic.next(count);
            while (onlyRecords[0] && call.member() != Member.RECORD && random.nextInt(50) != 0) {
                call = traffic.next(count);
            }
            return call;
        };
    }

    private static IntFunction<Operation> farApart(SplittableRandom random) {
        List<Long> times = new ArrayList<>(List.of(random.nextLong()));
        Member[] others = Member.values();
        return count -> {
            long earlier = times.get(Math.max(0, times.size() - 1 - random.nextInt(16)));
            long jump = random.nextInt(4) == 0 ? (long) random.nextInt(32) << 59 : 0;
            long time = earlier + jump + random.nextInt(-1, 10);
            times.add(time);
            Member member = random.nextInt(4) > 0 ? Member.RECORD : others[random.nextInt(others.length)];
            return new Operation(member, time, member == Member.COUNT_SPAN ? 0 : 1 + random.nextInt(count + 1));
        };
    }

    /** One sequence of calls on a new window and the model. */
    private static final class Run {
        final ConcurrentEventWindow window;
        final NaiveWindow model;
        private final long interval;
        private final IntFunction<Operation> traffic;
        private final List<Operation> calls = new ArrayList<>();

        /**
         * How many calls were made since the last check of the whole window, which advances all stripes to one latest
         * time.
         */
        private int unseen;

        Run(long interval, IntFunction<Operation> traffic) {
            this.interval = interval;
            this.traffic = traffic;
            window = Windows.concurrentOfNanos(interval);
            model = new NaiveWindow(interval);
        }

        void call(int times) {
            for (int left = times; left > 0; left--) {
                call();
            }
        }

        void call() {
            Operation call = traffic.apply(model.size());
            calls.add(call);
            Object expected = call.concurrent(call.on(model));
            try {
                assertThat(call.on(window)).isEqualTo(expected);
                unseen++;
                if (call.member() != Member.RECORD && unseen > 20 + model.size() / 32) {
                    window.checkInvariants();
                    assertThat(window.toArray()).isEqualTo(model.toArray());
                    unseen = 0;
                }
            } catch (RuntimeException | AssertionError e) {
                String report = EventWindowModelTest.report("ConcurrentEventWindow", interval, calls, e);
                throw new AssertionError(report, e);
            }
        }
    }
}
