package io.github.hotpath.examples.replay;

import io.github.bucket4j.TimeMeter;

/** The time of the log, for Bucket4j, which takes no time as an argument. */
final class LogClock implements TimeMeter {
    private long nanos;

    void set(long nanos) {
        this.nanos = nanos;
    }

    @Override
    public long currentTimeNanos() {
        return nanos;
    }

    @Override
    public boolean isWallClockBased() {
        return true;
    }
}
