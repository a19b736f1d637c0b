package io.github.hotpath.window;

import io.github.hotpath.window.Operation.Member;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Random calls in the manner of one kind of traffic: mostly records, whose times grow as those of that kind do, a few
 * of them out of order, and among them every other member, with the times at which a result changes.
 */
final class Traffic {
    /** How the times of events follow one another. */
    enum Kind {
        /** All steps alike. */
        STEADY,
        /** Steps from none to twice the usual. */
        JITTER,
        /** Many events at the same time, then none for a part of the interval. */
        BURSTS,
        /** Steady, with pauses of about half the interval, exactly one, one nanosecond more, and several. */
        GAPS,
        /** One event in three is late, by anything from a nanosecond to 2^63. */
        LATE,
        /**
         * Thousands of events from nine sources, each in order and behind the one before it by a tenth of the interval.
         */
        LAGGING,
        /** Now more events in an interval, up to thousands, now fewer, down to one, and steady in between. */
        WAVES,
        /** Slowly up to thousands, then most or all expire at once. */
        COLLAPSE;

        /** Whether it takes long to unfold. */
        boolean isLarge() {
            return this == WAVES || this == COLLAPSE || this == LAGGING;
        }
    }

    private final Kind kind;
    private final long interval;
    private final SplittableRandom random;

    /** The latest time of the traffic. */
    private long time;

    /** How many events an interval has, more or less. */
    private int density;

    /** What is left over of a step, which need not be whole. */
    private double rest;

    /** How many events remain until the density changes, or the collapse. */
    private int untilChange;

    /** Whether a time too far in the future was passed, so that nothing counts before the next clear. */
    private boolean stuck;

    private final Near near = new Near();

    Traffic(Kind kind, long interval, long start, SplittableRandom random) {
        this.kind = kind;
        this.interval = interval;
        this.random = random;
        time = start;
        density = kind.isLarge() ? 4_096 : 1 << random.nextInt(10);
        untilChange = density;
    }

    /** Returns the next calls to make: thousands of a kind that takes long, and else {@code few}. */
    List<Operation> calls(int few) {
        return Stream.generate(this::next).limit(kind.isLarge() ? 8_000 : few).toList();
    }

    /** Returns the next call to make. */
    private Operation next() {
        int lot = random.nextInt(kind.isLarge() ? 20_000 : 4_000);
        if (stuck ? lot < 400 : lot < 2) {
            stuck = false;
            time = random.nextBoolean() ? time : random.nextLong();
            return new Operation(Member.CLEAR, 0, 0);
        }
        if (lot < 3) {
            stuck = true;
            return new Operation(Member.TRIM, time + (1L << 62), 0);
        }
        return switch (lot / 100) {
            case 0, 1 -> new Operation(Member.COUNT, asked(), 0);
            case 2, 3 -> new Operation(Member.COUNT_SPAN, asked(), span());
            case 10 -> lot < 1_020 ? new Operation(Member.TRIM, moved(), 0) : new Operation(Member.TO_ARRAY, 0, 0);
            case 11 -> new Operation(Member.TO_STRING, 0, 0);
            default -> new Operation(random.nextBoolean() ? Member.RECORD_AND_COUNT : Member.RECORD, moved(), 0);
        };
    }

    /** Returns the next call that is {@link Near near}. */
    Operation nextNear() {
        Operation call = next();
        while (!near.accepts(call)) {
            call = next();
        }
        return call;
    }

    /** Tells which calls are at most 2^60 from the first one since the last clear. */
    static final class Near {
        private boolean begun;
        private long first;

        /** To be asked about one call after the other. */
        boolean accepts(Operation call) {
            switch (call.member()) {
                case CLEAR -> {
                    begun = false;
                    return true;
                }
                case TO_ARRAY, TO_STRING -> {
                    return true;
                }
                default -> {
                    if (!begun && call.member() != Member.COUNT && call.member() != Member.COUNT_SPAN) {
                        first = call.nanos();
                        begun = true;
                    }
                    return begun && call.nanos() - first + (1L << 60) >>> 61 == 0;
                }
            }
        }
    }

    /** Moves on and returns the time, or one that is late. */
    private long moved() {
        time += step();
        if (kind == Kind.LAGGING) {
            return time - random.nextInt(9) * (interval / 10);
        }
        return random.nextInt(kind == Kind.LATE ? 3 : 50) == 0 ? time - lateness() : time;
    }

    private long step() {
        return switch (kind) {
            case STEADY, LAGGING -> usualStep();
            case JITTER, LATE -> upTo(Math.max(1, doubled(usualStep())));
            case BURSTS -> random.nextInt(25) == 0 ? upTo(interval / 2) : 0;
            case GAPS -> random.nextInt(100) == 0 ? gap() : usualStep();
            case WAVES -> {
                if (--untilChange <= 0) {
                    int factor = 1 << random.nextInt(3);
                    density = random.nextBoolean() ? Math.min(4_096, density * factor) : Math.max(1, density / factor);
                    untilChange = 10 + random.nextInt(3 * density);
                }
                yield usualStep();
            }
            case COLLAPSE -> {
                if (--untilChange <= 0) {
                    untilChange = random.nextInt(6_000);
                    double left = random.nextBoolean() ? random.nextDouble() : random.nextInt(40) / (double) density;
                    yield interval - (long) (interval * left);
                }
                yield usualStep();
            }
        };
    }

    private long usualStep() {
        rest += Math.max(1, interval) / (double) density;
        long step = (long) rest;
        rest -= step;
        return step;
    }

    private long gap() {
        return switch (random.nextInt(5)) {
            case 0 -> interval / 2;
            case 1 -> Math.max(0, interval - 1);
            case 2 -> interval;
            case 3 -> added(interval, 1);
            default -> added(interval, upTo(interval));
        };
    }

    private long lateness() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(8);
            case 1 -> interval;
            case 2 -> added(interval, 1);
            case 3 -> added(interval, upTo(interval));
            case 4 -> random.nextInt(10) == 0 ? Long.MIN_VALUE : 1; // exactly 2^63
            default -> upTo(interval);
        };
    }

    private long asked() {
        return switch (random.nextInt(8)) {
            case 0 -> time + gap();
            case 1 -> time + upTo(interval);
            case 2 -> time + Long.MAX_VALUE;
            case 3 -> time + Long.MIN_VALUE;
            case 4 -> random.nextLong();
            case 5 -> time - lateness();
            default -> time;
        };
    }

    private long span() {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> interval;
            case 2 -> Math.min(interval, random.nextInt(10));
            case 3 -> interval - Math.min(interval, random.nextInt(10));
            default -> upTo(interval);
        };
    }

    private long upTo(long most) {
        return most == Long.MAX_VALUE ? random.nextLong() & most : random.nextLong(most + 1);
    }

    private static long doubled(long nanos) {
        return added(nanos, nanos);
    }

    /** The sum, or the largest step that a clock can make and still be later. */
    private static long added(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }
}
