package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.fuzz.Shortest;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Long random sequences of calls on several limiters together, and on each of them, with keys that come and are
 * evicted; all made on {@link NaiveJoint} too, which decides what is right.
 */
@Timeout(600)
class JointModelTest {
    private static final int SEQUENCES = 12;
    private static final int STEPS = 400;

    @ParameterizedTest(name = "{0}, from {1}")
    @MethodSource("cases")
    void calls_inAnySequence_answerAsTheModel(JointTraffic.Kind kind, long start) {
        SplittableRandom random = Seed.random("joint " + kind + " " + start);
        int evicted = 0;
        int grantedJointly = 0;
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            LimiterWorld.Setting setting = JointTraffic.setting(kind, random);
            JointWorld world = run(setting, new JointTraffic(kind, setting, start, random.split()));
            evicted += world.evicted();
            grantedJointly += world.grantedJointly();
        }
        int least = kind == JointTraffic.Kind.LEAPS ? 0 : SEQUENCES * 10;
        assertThat(grantedJointly).as("granted by several").isGreaterThan(least + SEQUENCES);
        assertThat(evicted).as("evicted").isGreaterThanOrEqualTo(least);
    }

    private static JointWorld run(LimiterWorld.Setting setting, JointTraffic traffic) {
        JointWorld world = new JointWorld(setting);
        List<LimiterStep> steps = new ArrayList<>();
        try {
            for (int i = 0; i < STEPS; i++) {
                steps.add(traffic.next(world));
                make(steps.get(i), world);
            }
        } catch (RuntimeException | AssertionError e) {
            List<LimiterStep> shortest = Shortest.of(steps, some -> fails(setting, some));
            throw new AssertionError(report(e, setting, shortest), e);
        }
        return world;
    }

    private static void make(LimiterStep step, JointWorld world) {
        world.make(step);
        if (!step.isWithoutTime() && step.member() != LimiterStep.Member.RESTART) {
            world.check(step.nanos());
        }
    }

    private static String report(Throwable failure, LimiterWorld.Setting setting, List<LimiterStep> steps) {
        return "%s%nThe steps that differ first; %s%n%s%n%s"
                .formatted(
                        failure,
                        Seed.hint(),
                        setting,
                        steps.stream().map(LimiterStep::toString).collect(Collectors.joining("\n")));
    }

    private static boolean fails(LimiterWorld.Setting setting, List<LimiterStep> steps) {
        JointWorld world = new JointWorld(setting);
        try {
            steps.forEach(step -> make(step, world));
            return false;
        } catch (RuntimeException | AssertionError e) {
            return true;
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(JointTraffic.Kind.values())
                .flatMap(kind -> StartTimes.all().mapToObj(start -> Arguments.of(kind, start)));
    }
}
