package io.github.hotpath.limit;

import static io.github.hotpath.limit.HistoryProgram.OTHER_USER;
import static io.github.hotpath.limit.HistoryProgram.SERVICE;
import static io.github.hotpath.limit.HistoryProgram.TENANT;
import static io.github.hotpath.limit.HistoryProgram.USER;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.HistoryProgram.History;
import io.github.hotpath.limit.LimiterStep.Member;
import io.github.hotpath.window.Seed;
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
    private static final int FEW = 5_000;
    private static final int MANY = Integer.getInteger("hotpath.histories", 500_000);

    /** More than any call makes. */
    private static final int CALLBACKS = 30;

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
    void calls_ofThreadsForMinutes_returnAsOneAfterAnother(boolean isHeldBack) {
        check(isHeldBack, MANY);
    }

    /** The same for calls that once returned otherwise, wherever the second thread comes. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("races")
    void calls_ofARace_returnAsOneAfterAnother(String name, HistoryProgram program) {
        try (HistoryThreads threads = new HistoryThreads(Seed.random(name))) {
            for (int first = 0; first <= CALLBACKS; first++) {
                for (int second = first; second <= CALLBACKS; second++) {
                    History history = threads.run(program, first, second);
                    assertThat(program.explains(history))
                            .as("at %d and %d%n%s", first, second, program.report(history))
                            .isTrue();
                }
            }
        }
    }

    static Stream<Arguments> races() {
        return Stream.of(
                Arguments.of(
                        "a call begins again, and is refused, while another one acquires a key that it has added",
                        new HistoryProgram(
                                List.of(),
                                List.of(
                                        List.of(new LimiterStep(
                                                0, Member.RESERVE, List.of(TENANT, OTHER_USER, SERVICE), 0, 2, 0)),
                                        List.of(
                                                new LimiterStep(1, Member.UPDATE_LIMITS, List.of(OTHER_USER), 0, 0, 1),
                                                new LimiterStep(2, Member.TRY_ACQUIRE, List.of(TENANT), 0, 1, 0))))),
                Arguments.of(
                        "one of two keyed limiters is cleared, and the other one is read",
                        new HistoryProgram(
                                List.of(),
                                List.of(
                                        List.of(new LimiterStep(0, Member.TRY_ACQUIRE, List.of(TENANT, USER), 0, 1, 0)),
                                        List.of(
                                                new LimiterStep(1, Member.CLEAR, List.of(USER), 0, 0, 0),
                                                new LimiterStep(2, Member.AVAILABLE, List.of(TENANT), 0, 0, 0))))),
                Arguments.of(
                        "a key is removed, and a reservation of it corrected before it is read",
                        new HistoryProgram(
                                List.of(new LimiterStep(0, Member.RESERVE, List.of(USER), 0, 2, 0)),
                                List.of(
                                        List.of(new LimiterStep(1, Member.REMOVE, List.of(USER), 0, 0, 0)),
                                        List.of(
                                                new LimiterStep(2, Member.ADJUST, List.of(), 0, 1, 0),
                                                new LimiterStep(3, Member.AVAILABLE, List.of(USER), 0, 0, 0))))),
                Arguments.of(
                        "a call evicts what was reserved after it had taken effect",
                        new HistoryProgram(
                                List.of(new LimiterStep(0, Member.TRY_ACQUIRE, List.of(TENANT, OTHER_USER), 0, 1, 0)),
                                List.of(
                                        List.of(new LimiterStep(
                                                1, Member.CLOSE_FOR, List.of(TENANT, OTHER_USER), 11, 0, 0)),
                                        List.of(
                                                new LimiterStep(2, Member.AVAILABLE, List.of(OTHER_USER), 0, 0, 0),
                                                new LimiterStep(3, Member.RESERVE, List.of(USER), 0, 1, 0))))));
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
