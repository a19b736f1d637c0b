package io.github.hotpath.examples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.benchmarks.Approximation.Answers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters do what their Javadoc describes, and the traffic has the events of its formula. */
class ApproximationTest {
    private static final long EVENTS = 1_000;

    /** Compared with a count of the times, one by one. */
    @ParameterizedTest
    @EnumSource
    void count_anyCourse_isThatOfItsTimes(Course course) {
        for (long newest = 0; newest < 3 * EVENTS; newest++) {
            long at = course.nanos(newest, EVENTS);
            long count = 0;
            for (long event = newest;
                    event >= 0 && at - course.nanos(event, EVENTS) <= course.intervalNanos(EVENTS); ) {
                event--;
                count++;
            }
            assertThat(course.count(newest, EVENTS)).isEqualTo(count);
        }
    }

    @Test
    void count_atTheReads_isAsManyAsAreAskedFor() {
        for (Course course : Course.values()) {
            long last = course.firstRead(EVENTS) + course.step(EVENTS) * (course.reads() - 1);
            assertThat(course.count(course.firstRead(EVENTS), EVENTS)).isEqualTo(EVENTS);
            assertThat(course.count(last, EVENTS)).isEqualTo(EVENTS);
        }
    }

    @Test
    void eventWindow_anyCourse_isExact() {
        for (Course course : Course.values()) {
            assertThat(errors(Approximation.EVENT_WINDOW, course)).isEqualTo(0);
        }
    }

    @Test
    void boundedEventWindow_anyCourse_isWithinItsError() {
        for (Course course : Course.values()) {
            assertThat(errors(Approximation.BOUNDED_EVENT_WINDOW, course)).isLessThanOrEqualTo(0.01);
        }
    }

    @Test
    void tenBucketsAndTwoCounters_bursts_missNearlyHalf() {
        assertThat(errors(Approximation.TEN_BUCKETS, Course.BURSTS)).isEqualTo(0.5);
        assertThat(errors(Approximation.TWO_COUNTERS, Course.BURSTS)).isBetween(0.49, 0.5);
    }

    @Test
    void tenBuckets_steady_missUpToATenth() {
        assertThat(errors(Approximation.TEN_BUCKETS, Course.STEADY)).isBetween(0.09, 0.11);
    }

    @Test
    void twoCounters_steady_areRight() {
        assertThat(errors(Approximation.TWO_COUNTERS, Course.STEADY)).isLessThanOrEqualTo(2.0 / EVENTS);
    }

    private static double errors(Approximation approximation, Course course) {
        Answers answers = approximation.create(course.intervalNanos(EVENTS));
        double error = 0;
        long last = course.firstRead(EVENTS) + course.step(EVENTS) * (course.reads() - 1);
        for (long event = 0; event <= last; event++) {
            long nanos = course.nanos(event, EVENTS);
            answers.record(nanos);
            if (event >= course.firstRead(EVENTS) && (event - course.firstRead(EVENTS)) % course.step(EVENTS) == 0) {
                double count = course.count(event, EVENTS);
                error = Math.max(error, (count - answers.atLeast(nanos)) / count);
                error = Math.max(error, (answers.atMost(nanos) - count) / count);
            }
        }
        return error;
    }
}
