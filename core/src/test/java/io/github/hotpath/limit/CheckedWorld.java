package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.limit.LimiterStep.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link LimiterWorld}, and the model of it. Each step is made on both, and throws if they differ. */
final class CheckedWorld {
    private final LimiterWorld subject;
    private final NaiveWorld model;
    private final int every;
    private int made;
    private int evicted;
    private int grantedJointly;

    /** @param every after so many steps all limiters are checked as a whole */
    CheckedWorld(LimiterWorld.Setting setting, int every) {
        subject = new LimiterWorld(setting, () -> {});
        model = new NaiveWorld(setting);
        this.every = every;
    }

    int evicted() {
        return evicted;
    }

    int grantedJointly() {
        return grantedJointly;
    }

    NaiveJoint model(List<Integer> targets) {
        return model.joint(targets);
    }

    void make(LimiterStep step) {
        List<@Nullable Long> evictionTimes = subject.evictionTimes();
        model.setStarts(subject.latestTimes(step.targets())); // of entries that were only refused
        boolean isEviction = step.member() == Member.EVICT_IDLE;
        String returned = subject.make(step).toString();
        if (!isEviction) {
            assertThat(returned).as(step.toString()).isEqualTo(model.make(step));
        }
        evictWith(step);
        if (isEviction) {
            model.make(step); // there is no other key to evict
        }
        assertThat(model.keys()).as("keys after %s", step).allMatch(subject::has); // and perhaps some that were refused
        for (int keyed = 0; keyed < evictionTimes.size(); keyed++) { // an entry that was only refused does not raise it
            Long raised = subject.evictionTimes().get(keyed);
            if (step.member() != Member.RESTART && step.member() != Member.CLEAR) {
                Long before = evictionTimes.get(keyed);
                assertThat(raised).as("eviction time after %s", step).isIn(before, step.nanos());
                assertThat(before == null || raised - before >= 0)
                        .as("%s moves it back", step)
                        .isTrue();
            }
            model.setEvictionTime(keyed, raised);
        }
        boolean isGranted = step.member() == Member.TRY_ACQUIRE && returned.equals("true")
                || step.member() == Member.TRY_ACQUIRE_OR_DELAY && returned.equals("0");
        grantedJointly += isGranted && step.targets().stream().distinct().count() > 1 ? 1 : 0;
        if (++made % every == 0 && !step.isWithoutTime() && step.member() != Member.RESTART) {
            check(step.nanos());
        }
    }

    /** Evicts the keys that the call has evicted, which has done so at its time. */
    private void evictWith(LimiterStep step) {
        for (int key : model.keys()) {
            if (!subject.has(key)) {
                assertThat(model.evict(key, step.nanos()))
                        .as("%s has evicted %s, which is idle", step, key)
                        .isTrue();
                evicted++;
            }
        }
    }

    /** Checks each limiter as a whole, and what is available in it. */
    private void check(long nanos) {
        subject.checkInvariants();
        for (int target : model.there()) {
            for (Member read : List.of(Member.AVAILABLE, Member.IS_IDLE)) {
                LimiterStep step = new LimiterStep(0, read, List.of(target), nanos, 0, 0);
                assertThat(subject.make(step).toString()).as(step.toString()).isEqualTo(model.make(step));
            }
        }
    }
}
