package io.github.hotpath.limit;

import static io.github.hotpath.limit.HistoryProgram.OTHER_USER;
import static io.github.hotpath.limit.HistoryProgram.SERVICE;
import static io.github.hotpath.limit.HistoryProgram.TENANT;
import static io.github.hotpath.limit.HistoryProgram.USER;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.HistoryProgram.History;
import io.github.hotpath.limit.LimiterStep.Member;
import io.github.hotpath.testing.Seed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small histories: whatever the calls of two or three threads return, they would have returned one after another, in an
 * order in which each call that had returned comes before those that began later.
 */
class HistoryTest {
    private static final int FEW = 300;
    private static final int MANY = Integer.getInteger("hotpath.histories", 20_000);

    /** How often each program is run. */
    private static final int REPEATS = 10;

    /** The calls of one thread are made at the same time as those of another one, or where that calls code of its user. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void calls_ofThreads_returnAsOneAfterAnother(boolean isHeldBack) {
        check(isHeldBack, FEW);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void calls_ofThreadsForLong_returnAsOneAfterAnother(boolean isHeldBack) {
        check(isHeldBack, MANY);
    }

    /** The same for calls that once returned otherwise, wherever the second thread comes. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("races")
    void calls_ofARace_returnAsOneAfterAnother(String name, HistoryProgram program) {
        try (HistoryThreads threads = new HistoryThreads(Seed.random(name))) {
            for (int first = 0; first <= threads.callbacks() + 1; first++) {
                for (int second = first; second <= threads.callbacks() + 1; second++) {
                    History history = threads.run(program, first, second);
                    assertThat(program.explains(history))
                            .as("at %d and %d%n%s", first, second, program.report(history))
                            .isTrue();
                }
            }
        }
    }

    /** Entries go, limits change and eviction times rise after a call has looked up one of its keys. */
    static Stream<Arguments> races() {
        Integer[] all = {USER, SERVICE, OTHER_USER, TENANT};
        LimiterStep acquired = step(0, Member.TRY_ACQUIRE, 0, 1, 0, USER);
        LimiterStep others = step(0, Member.TRY_ACQUIRE, 0, 1, 0, OTHER_USER, TENANT);
        LimiterStep evict = step(2, Member.EVICT_IDLE, 12, 0, 0, USER);
        return Stream.of(
                race(
                        "a call begins again, and is refused, while another one acquires a key that it has added",
                        List.of(),
                        step(0, Member.RESERVE, 0, 2, 0, TENANT, OTHER_USER, SERVICE),
                        step(1, Member.UPDATE_LIMITS, 0, 0, 1, OTHER_USER),
                        step(2, Member.TRY_ACQUIRE, 0, 1, 0, TENANT)),
                race(
                        "one of two keyed limiters is cleared, and the other one is read",
                        List.of(),
                        step(0, Member.TRY_ACQUIRE, 0, 1, 0, TENANT, USER),
                        step(1, Member.CLEAR, 0, 0, 0, USER),
                        step(2, Member.AVAILABLE, 0, 0, 0, TENANT)),
                race(
                        "a key is removed, and a reservation of it corrected before it is read",
                        List.of(step(0, Member.RESERVE, 0, 2, 0, USER)),
                        step(1, Member.REMOVE, 0, 0, 0, USER),
                        step(2, Member.ADJUST, 0, 1, 0),
                        step(3, Member.AVAILABLE, 0, 0, 0, USER)),
                race(
                        "a call evicts what was reserved after it had taken effect",
                        List.of(step(0, Member.TRY_ACQUIRE, 0, 1, 0, TENANT, OTHER_USER)),
                        step(1, Member.CLOSE_FOR, 11, 0, 0, TENANT, OTHER_USER),
                        step(2, Member.AVAILABLE, 0, 0, 0, OTHER_USER),
                        step(3, Member.RESERVE, 0, 1, 0, USER)),
                race("evicted", List.of(acquired), step(1, Member.RESERVE, 12, 2, 5, all), evict),
                race(
                        "removed",
                        List.of(acquired),
                        step(1, Member.RESERVE, 0, 1, 5, all),
                        step(2, Member.REMOVE, 0, 0, 0, USER),
                        step(3, Member.AVAILABLE, 0, 0, 0, USER)),
                race(
                        "cleared",
                        List.of(acquired),
                        step(1, Member.TRY_ACQUIRE, 0, 1, 0, all),
                        step(2, Member.CLEAR, 0, 0, 0, USER),
                        step(3, Member.AVAILABLE, 0, 0, 0, USER)),
                race(
                        "added, and changed before others: decided",
                        List.of(),
                        step(1, Member.DECIDE, 0, 1, 0, all),
                        step(2, Member.TRY_ACQUIRE, 0, 2, 0, USER),
                        step(3, Member.TRY_ACQUIRE, 0, 1, 0, SERVICE)),
                race(
                        "added, and changed before others: read",
                        List.of(),
                        step(1, Member.AVAILABLE, 0, 0, 0, all),
                        step(2, Member.TRY_ACQUIRE, 0, 2, 0, USER),
                        step(3, Member.TRY_ACQUIRE, 0, 1, 0, SERVICE)),
                race(
                        "with other limits before the service had changed",
                        List.of(),
                        step(1, Member.AVAILABLE, 0, 0, 0, all),
                        step(2, Member.UPDATE_ALL_LIMITS, 0, 0, 1, USER),
                        step(3, Member.TRY_ACQUIRE, 0, 2, 0, SERVICE)),
                race(
                        "with other limits",
                        List.of(),
                        step(1, Member.TRY_ACQUIRE_OR_DELAY, 0, 2, 0, all),
                        step(2, Member.UPDATE_LIMITS, 0, 0, 1, USER)),
                race(
                        "added at a later eviction time",
                        List.of(others),
                        step(1, Member.TRY_ACQUIRE, 4, 1, 0, USER, SERVICE),
                        evict),
                race(
                        "added at an eviction time after it would be open again",
                        List.of(others),
                        step(1, Member.CLOSE_FOR, 4, 0, 6, USER, TENANT),
                        evict,
                        step(3, Member.TRY_ACQUIRE, 12, 2, 0, USER)),
                race(
                        "added when another call has added it, and it was evicted; looked at later",
                        List.of(step(0, Member.IS_IDLE, 16, 0, 0, SERVICE)),
                        step(1, Member.TRY_ACQUIRE, 4, 2, 0, USER),
                        step(3, Member.TRY_ACQUIRE, 0, 2, 0, USER),
                        evict),
                race(
                        "removed during an update",
                        List.of(acquired),
                        step(1, Member.UPDATE_LIMITS, 0, 0, 2, USER),
                        step(2, Member.REMOVE, 0, 0, 0, USER)),
                race(
                        "updated during an update",
                        List.of(acquired),
                        step(1, Member.UPDATE_LIMITS, 0, 0, 1, USER),
                        step(2, Member.UPDATE_ALL_LIMITS, 0, 0, 2, USER)));
    }

    private static Arguments race(String name, List<LimiterStep> before, LimiterStep first, LimiterStep... meanwhile) {
        return Arguments.of(name, new HistoryProgram(before, List.of(List.of(first), List.of(meanwhile))));
    }

    private static LimiterStep step(
            int number, Member member, long nanos, int permits, long argument, Integer... targets) {
        return new LimiterStep(number, member, List.of(targets), nanos, permits, argument);
    }

    private static void check(boolean isHeldBack, int rounds) {
        SplittableRandom random = Seed.random("histories " + isHeldBack);
        try (HistoryThreads threads = new HistoryThreads(random.split())) {
            for (int made = 0; made < rounds; made += REPEATS) {
                HistoryProgram program = new HistoryProgram(random.split());
                for (int repeat = 0; repeat < REPEATS; repeat++) {
                    History history = threads.run(program, isHeldBack);
                    assertThat(program.explains(history))
                            .as("round %d, %s%n%s", made + repeat, Seed.hint(), program.report(history))
                            .isTrue();
                }
            }
        }
    }
}
