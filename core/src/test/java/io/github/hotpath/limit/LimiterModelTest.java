package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.LimiterTraffic.Kind;
import io.github.hotpath.limit.LimiterWorld.Setting;
import io.github.hotpath.testing.CallSequence;
import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Long random sequences of calls on a limiter, or on several limiters and keys, alone and together; all made on {@link
 * NaiveWorld} too, which decides what is right.
 *
 * <p>Sequences, because no single call fails: a limiter is broken by a cursor or a sum that is one entry off, a
 * time published for too long, or an entry that a cancellation has moved, which shows many calls later.
 */
@Timeout(600)
class LimiterModelTest {
    private static final long[] STARTS = StartTimes.all().toArray();

    @ParameterizedTest
    @EnumSource
    void steps_inAnySequence_answerAsTheModel(Kind kind) {
        check(kind, kind == Kind.MANY ? 1 : STARTS.length);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void steps_inManySequences_answerAsTheModel(Kind kind) {
        check(kind, kind == Kind.MANY ? 3 : 10 * STARTS.length);
    }

    private static void check(Kind kind, int sequences) {
        SplittableRandom random = Seed.random("steps " + kind);
        int evicted = 0;
        int grantedJointly = 0;
        for (int sequence = 0; sequence < sequences; sequence++) {
            Setting setting = LimiterTraffic.setting(kind, random);
            LimiterTraffic traffic = new LimiterTraffic(kind, setting, start(kind, sequence), random.split());
            CheckedWorld world = new CheckedWorld(setting, every(kind, sequence));
            List<LimiterStep> made = new ArrayList<>();
            try {
                make(world, traffic, kind == Kind.MANY ? 8_000 : 250, made);
            } catch (RuntimeException | AssertionError e) {
                sequence(setting, kind == Kind.MANY ? 50 : 1, made).run(Seed.hint());
                throw e;
            }
            evicted += world.evicted();
            grantedJointly += world.grantedJointly();
        }
        assertThat(grantedJointly).as("granted by several").isGreaterThan(kind == Kind.MANY ? -1 : sequences);
        assertThat(evicted).as("evicted").isGreaterThan(kind.compareTo(Kind.KEYS) > 0 ? -1 : sequences);
    }

    /** So that thousands live through the wrap-around. */
    private static long start(Kind kind, int sequence) {
        return kind == Kind.MANY ? Long.MAX_VALUE - (1L << 41) : STARTS[sequence % STARTS.length];
    }

    /** After how many steps all limiters are checked as a whole. */
    private static int every(Kind kind, int sequence) {
        return kind == Kind.MANY ? 50 : sequence % 3 == 0 ? 1 : 7;
    }

    /** Makes random steps, and adds each to {@code made} before. */
    static void make(CheckedWorld world, LimiterTraffic traffic, int steps, List<LimiterStep> made) {
        for (int i = 0; i < steps; i++) {
            LimiterStep step = traffic.next(world);
            made.add(step);
            world.make(step);
        }
    }

    static CallSequence<LimiterStep> sequence(Setting setting, int every, List<LimiterStep> steps) {
        return new CallSequence<>(setting.toString(), steps, some -> {
            CheckedWorld world = new CheckedWorld(setting, every);
            some.forEach(world::make);
        });
    }
}
