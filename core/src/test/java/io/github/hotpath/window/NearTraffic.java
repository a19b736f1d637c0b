package io.github.hotpath.window;

import io.github.hotpath.window.Operation.Member;

/** Traffic without calls at times farther than 2^60 from the first one after a clear. */
final class NearTraffic {
    private final Traffic traffic;
    private boolean begun;
    private long first;

    NearTraffic(Traffic traffic) {
        this.traffic = traffic;
    }

    Operation next() {
        while (true) {
            Operation call = traffic.next();
            boolean begins = call.member() == Member.RECORD || call.member() == Member.TRIM;
            if (call.member() == Member.CLEAR) {
                begun = false;
                return call;
            }
            if (call.member() == Member.TO_ARRAY || call.member() == Member.TO_STRING) {
                return call;
            }
            if (!begun && begins) {
                first = call.nanos();
                begun = true;
            }
            if (begun && call.nanos() - first + (1L << 60) >>> 61 == 0) {
                return call;
            }
        }
    }
}
