package io.github.hotpath.limit;

import io.github.hotpath.internal.Arguments;

/** Acquires permits if every limiter grants them at its own time. */
class AcquireCall extends JointCall<Member> {
    final int permits;

    /** The longest of the limiters' delays: 0 if the permits can be acquired. */
    long delay;

    AcquireCall(Member[] members, long nanos, int permits) {
        super(members, nanos);
        Arguments.checkAtLeast(1, permits, "permits");
        this.permits = permits;
    }

    /** Makes the call, and returns the delay. */
    final long delayNanos() {
        make();
        return delay;
    }

    @Override
    boolean isToChange() {
        delay = 0;
        for (Member member : members) {
            SlidingLog log = member.limiter.log;
            member.time = log.evaluatedAt(nanos);
            member.wait = log.waitFor(permits, member.time);
            delay = Math.max(delay, log.delay(nanos, member.time, member.wait));
        }
        return delay == 0;
    }

    @Override
    void change(Member member) {
        member.limiter.log.grant(member.time, member.time + member.wait, permits);
    }
}
