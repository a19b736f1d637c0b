package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Acquires permits as {@link AcquireCall} does, if it is to acquire any, and tells about all limits. */
final class DecisionCall extends AcquireCall {
    private final boolean acquires;

    /** A field, since the locks are held while it is filled: see {@link JointCall}. */
    private final List<Quota> quotas = new ArrayList<>();

    private @Nullable Decision decision;

    DecisionCall(Member[] members, long nanos, int permits, boolean acquires) {
        super(members, nanos, permits);
        this.acquires = acquires;
    }

    Decision decision() {
        make();
        return requireNonNull(decision);
    }

    @Override
    boolean isToChange() {
        return super.isToChange() && acquires;
    }

    @Override
    void conclude() {
        for (Member member : members) {
            member.limiter.log.addQuotas(nanos, delay == 0 ? 0 : permits, quotas);
        }
        decision = new Decision(delay, quotas);
    }
}
