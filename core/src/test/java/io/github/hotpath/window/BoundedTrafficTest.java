package io.github.hotpath.window;

import io.github.hotpath.testing.Seed;
import io.github.hotpath.testing.StartTimes;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link BoundedEventWindow} beside an {@link EventWindow}, with thousands of events in them, for every span. */
class BoundedTrafficTest {
    private static final double[] ERRORS = {1, 0.2, 0.05, 0.01, 0.001};
    private static final int RECORDS = 8_000;

    /** How the times of events follow one another, and how many events have one time. */
    enum Shape {
        STEADY(20, course -> course.after(100, 1)),
        EXPONENTIAL_GAPS(20, course -> course.after((long) (-100 * Math.log(1 - course.random.nextDouble())), 1)),
        /** Hundreds of events within some nanoseconds of each other, and then none for long. */
        BURSTS(20, course -> course.after(course.isOneIn(300) ? 60_000 : course.random.nextInt(3), 1)),
        /** Hundreds of events at one time. */
        BURSTS_OF_ONE_TIME(20, course -> course.after(course.isOneIn(200) ? 40_000 : 0, 1)),
        /** A clock that advances in steps: several events at each. */
        COARSE_CLOCK(20, course -> course.after(course.isOneIn(10) ? 1_000 : 0, 1)),
        /** Ever longer gaps, so that the newest of thousands are few, and again from the beginning. */
        THINNING(24, course -> course.after((long) Math.exp(course.records % 4_000 / 250.0), 1)),
        /** Ever shorter gaps, so that nearly all events are new, and again from the beginning. */
        QUICKENING(24, course -> course.after((long) Math.exp((3_999 - course.records % 4_000) / 250.0), 1)),
        PAUSES(18, course -> {
            long pause = course.random.nextInt(3) * (1 << 17) + course.random.nextInt(3) - 1;
            course.after(course.isOneIn(1_000) ? Math.max(0, pause) : 40, 1);
        }),
        WEIGHTS(
                18,
                course -> course.after(
                        course.random.nextInt(400), 1 + (course.isOneIn(8) ? course.random.nextInt(50) : 0))),
        /** One in a hundred is out of order, by anything up to the interval. */
        OUT_OF_ORDER(20, course -> {
            if (course.isOneIn(100)) {
                course.outOfOrder(1 + course.random.nextInt(1 << 20), 1 + course.random.nextInt(3));
            } else {
                course.after(course.random.nextInt(200), 1);
            }
        }),
        /** Two sources, the second behind the first: one in two is out of order. */
        TWO_SOURCES(20, course -> {
            course.after(200, 1);
            course.outOfOrder(30_050, 1);
        });

        private final long interval;
        private final Consumer<Course> next;

        /** With an interval of two to the power of {@code bits}. */
        Shape(int bits, Consumer<Course> next) {
            this.interval = 1L << bits;
            this.next = next;
        }
    }

    @ParameterizedTest(name = "{0}, error {1}")
    @MethodSource("cases")
    void bounds_ofEverySpan_holdAndAreClose(Shape shape, double error) {
        Course course = new Course(shape, error);

        for (int i = 0; i < RECORDS; i++) {
            shape.next.accept(course);
            course.records++;
            if (course.random.nextInt(16) == 0) {
                course.check();
            }
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of(Shape.values())
                .flatMap(shape -> DoubleStream.of(ERRORS).mapToObj(error -> Arguments.of(shape, error)));
    }

    /** The traffic of one shape so far, and the two windows that record it. */
    private static final class Course {
        private final long interval;
        private final double error;
        private final EventWindow exact;
        private final BoundedEventWindow bounded;
        private final SplittableRandom random;
        private int records;
        private long time = StartTimes.BEFORE_THE_WRAP - (1 << 22);
        private long outOfOrder;

        Course(Shape shape, double error) {
            interval = shape.interval;
            this.error = error;
            exact = Windows.ofNanos(interval);
            bounded = Windows.boundedOfNanos(interval, error);
            random = Seed.random("traffic " + shape + error);
        }

        boolean isOneIn(int many) {
            return random.nextInt(many) == 0;
        }

        void after(long gap, int events) {
            time += gap;
            record(time, events);
        }

        void outOfOrder(long lateness, int events) {
            outOfOrder += events;
            record(time - lateness, events);
        }

        private void record(long nanos, int events) {
            for (int i = 0; i < events; i++) {
                exact.record(nanos);
            }
            bounded.record(nanos, events);
        }

        /** Checks the whole window and a span of it, now and at a later time. */
        void check() {
            Insides.check(bounded, outOfOrder);
            check(time, interval);
            check(time, span());
            check(time + random.nextLong(interval), span());
        }

        private long span() {
            return random.nextLong(interval >> random.nextInt(18));
        }

        private void check(long at, long span) {
            Duration duration = Duration.ofNanos(span);
            BoundedModel.checkBounds(
                    exact.count(at, duration),
                    bounded.countAtLeast(at, duration),
                    bounded.countAtMost(at, duration),
                    error,
                    outOfOrder);
        }
    }
}
