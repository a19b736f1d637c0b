package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.fuzz.Shortest;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.StartTimes;
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
@Timeout(120)
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
            List<List<Limit>> limits = JointTraffic.limits(kind, random);
            List<List<Limit>> keyLimits = JointTraffic.keyLimits(kind, random);
            JointWorld world = run(limits, keyLimits, traffic(kind, limits, keyLimits, start, random.split()));
            evicted += world.evicted();
            grantedJointly += world.grantedJointly();
        }
        assertThat(grantedJointly).as("granted by several").isGreaterThan(SEQUENCES * 10);
        assertThat(evicted).as("evicted").isGreaterThan(kind == JointTraffic.Kind.LEAPS ? -1 : SEQUENCES * 10);
    }

    private static JointTraffic traffic(
            JointTraffic.Kind kind,
            List<List<Limit>> limits,
            List<List<Limit>> keyLimits,
            long start,
            SplittableRandom random) {
        long[] intervals = Stream.of(limits, keyLimits)
                .flatMap(List::stream)
                .flatMap(List::stream)
                .mapToLong(limit -> limit.interval().toNanos())
                .toArray();
        return new JointTraffic(kind, intervals, start, random);
    }

    private static JointWorld run(List<List<Limit>> limits, List<List<Limit>> keyLimits, JointTraffic traffic) {
        JointWorld world = new JointWorld(limits, keyLimits);
        List<JointStep> steps = new ArrayList<>();
        try {
            for (int i = 0; i < STEPS; i++) {
                steps.add(traffic.next(world));
                make(steps.get(i), world);
            }
        } catch (RuntimeException | AssertionError e) {
            List<JointStep> shortest = Shortest.of(steps, some -> fails(limits, keyLimits, some));
            throw new AssertionError(report(e, world, shortest), e);
        }
        return world;
    }

    private static void make(JointStep step, JointWorld world) {
        world.make(step);
        world.check(step.nanos());
    }

    private static String report(Throwable failure, JointWorld world, List<JointStep> steps) {
        return "%s%nThe steps that differ first; %s%n%s%n%s"
                .formatted(
                        failure,
                        Seed.hint(),
                        world,
                        steps.stream().map(JointStep::toString).collect(Collectors.joining("\n")));
    }

    private static boolean fails(List<List<Limit>> limits, List<List<Limit>> keyLimits, List<JointStep> steps) {
        JointWorld world = new JointWorld(limits, keyLimits);
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
