package io.github.hotpath.examples.replay;

/** Units in which numbers are times since 1970. */
enum TimeUnits {
    S(1_000_000_000),
    MS(1_000_000),
    US(1_000),
    NS(1);

    final long nanos;

    TimeUnits(long nanos) {
        this.nanos = nanos;
    }
}
