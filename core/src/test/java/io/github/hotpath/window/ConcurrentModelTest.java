package io.github.hotpath.window;

import static io.github.hotpath.window.WindowAssert.assertThatWindow;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.testing.CallSequence;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.window.Operation.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random calls on a {@link ConcurrentEventWindow} by several threads in turns, each in a stripe of its own, return what
 * {@link NaiveWindow} does, as long as times are within 2^61 ns of each other.
 */
class ConcurrentModelTest {
    private static final long[] INTERVALS = {0, 10, 5_000, 1_000_000_007, 1L << 59, 1L << 61};

    @AutoClose
    private static final Relay RELAY = new Relay();

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> LongStream.of(INTERVALS).mapToObj(interval -> Arguments.of(kind, interval)));
    }

    /** A call that one of the threads makes, or that is made on a snapshot of what all have made. */
    private record Turn(int thread, Operation call) {
        static final int ON_SNAPSHOT = -1;

        @Override
        public String toString() {
            return (thread == ON_SNAPSHOT ? "snapshot" : "thread " + thread) + ": " + call;
        }
    }

    @ParameterizedTest(name = "{0}, interval {1}")
    @MethodSource("cases")
    void calls_ofThreadsInTurns_answerAsTheModel(Traffic.Kind kind, long interval) {
        SplittableRandom random = Seed.random("concurrent " + kind + " " + interval);
        Traffic traffic = new Traffic(kind, interval, Long.MAX_VALUE - interval / 2, random.split());
        List<Turn> turns = new ArrayList<>();
        for (int legs = kind.isLarge() ? 800 : 100; legs >= 0; legs--) {
            int thread = legs == 0 ? Turn.ON_SNAPSHOT : random.nextInt(Relay.THREADS);
            for (int left = legs == 0 ? 200 : 1 + random.nextInt(12); left > 0; left--) {
                turns.add(new Turn(thread, traffic.nextNear()));
            }
        }
        new CallSequence<>(
                        "ConcurrentEventWindow.of(Duration.ofNanos(" + interval + "L))",
                        turns,
                        some -> check(interval, some))
                .run(Seed.hint());
    }

    private static void check(long interval, List<Turn> turns) throws IOException {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(interval);
        NaiveWindow model = new NaiveWindow(interval);
        RELAY.spread(window);
        Traffic.Near near = new Traffic.Near(); // without a call before it, another one need not be
        List<Turn> leg = new ArrayList<>();
        int legs = 0;
        for (Turn turn : turns) {
            if (!leg.isEmpty() && turn.thread != leg.get(0).thread) {
                run(leg, window, model);
                if (++legs % 50 == 0) {
                    Insides.check(window);
                    assertThatWindow(window.snapshot()).holds(model.toArray());
                }
                leg.clear();
            }
            if (near.accepts(turn.call)) {
                leg.add(turn);
            }
        }
        run(leg, window, model);
    }

    private static void run(List<Turn> leg, ConcurrentEventWindow window, NaiveWindow model) throws IOException {
        if (leg.isEmpty() || leg.get(0).thread == Turn.ON_SNAPSHOT) {
            assertIsSame(window.snapshot(), model, leg);
        } else {
            RELAY.run(leg.get(0).thread, () -> {
                for (Turn turn : leg) {
                    assertThat(turn.call.on(AnyWindow.concurrent(window)))
                            .isEqualTo(turn.call.on(AnyWindow.model(model)));
                }
            });
        }
    }

    /** A snapshot, whose events are in a log for each stripe, goes on as an {@link EventWindow} does. */
    private static void assertIsSame(EventWindow snapshot, NaiveWindow model, List<Turn> turns) throws IOException {
        Insides.check(snapshot);
        EventWindow read = Windows.FORM.copy(snapshot);
        for (Turn turn : turns) {
            Object expected = turn.call.on(AnyWindow.model(model));
            assertThat(turn.call.on(AnyWindow.exact(snapshot))).isEqualTo(expected);
            assertThat(turn.call.on(AnyWindow.exact(read))).isEqualTo(expected);
            Insides.check(snapshot);
        }
    }

    /** In each stripe the other's events are out of order, and by as much as times may differ. */
    @Test
    void count_eventsInStripes2ToThe61Apart_isJudgedByTheLatestOfAll() {
        ConcurrentEventWindow window = Windows.concurrentOfNanos(1L << 61);
        RELAY.spread(window);
        long early = Long.MAX_VALUE - 5;
        long late = early + (1L << 61);

        RELAY.run(1, () -> window.record(late));
        RELAY.run(2, () -> window.record(early));
        RELAY.run(3, () -> window.record(early - 1)); // kept in its stripe, and older than the window

        assertThat(window.count(early)).isEqualTo(2);
        assertThat(window.snapshot().toArray()).containsExactly(early, late);
        assertThat(window.count(late + 1)).isEqualTo(1);
        assertThat(window).hasToString("ConcurrentEventWindow[interval=PT640511H56M49.213693952S, count=2]");
    }

    /** More than that apart, counts mean nothing, but every call returns. */
    @Test
    void calls_atAnyTimes_return() {
        SplittableRandom random = Seed.random("anywhere");
        for (int round = 0; round < 50; round++) {
            ConcurrentEventWindow window = Windows.concurrentOfNanos(random.nextLong() >>> 1 + random.nextInt(62));
            RELAY.spread(window);
            for (int i = 0; i < 100; i++) {
                Member member = Member.values()[random.nextInt(Member.values().length)];
                long nanos = random.nextLong();
                RELAY.run(i % Relay.THREADS, () -> new Operation(member, nanos, 0).on(AnyWindow.concurrent(window)));
            }
            for (Stripe stripe = window.newest; stripe != null; stripe = stripe.next) {
                assertThat(stripe.holder).isEqualTo(Stripe.FREE);
            }
            window.clear();
            window.record(1);
            assertThat(window.snapshot().toArray()).containsExactly(1);
        }
    }
}
