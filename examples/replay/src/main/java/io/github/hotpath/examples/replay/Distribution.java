package io.github.hotpath.examples.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many clients have more than so many permits in their busiest interval: the number that a limit refuses.
 *
 * @param interval the interval
 * @param points ascending by permits: the number of clients holds from there until the next point
 * @param limits of the candidates, of this interval
 */
record Distribution(Duration interval, List<Point> points, List<Long> limits) {
    /** A point of the curve. */
    record Point(long permits, double clients) {}

    /** Neighbours nearer than this, in proportion, are one point in a picture. */
    private static final double NEAR = 1.005;

    /**
     * Returns the distribution.
     *
     * @param ascending the permits in the busiest interval of each client
     * @param weight for how many clients each of them stands
     */
    static Distribution of(Duration interval, long[] ascending, double weight, List<Long> limits) {
        List<Point> points = new ArrayList<>();
        long before = 0;
        for (int i = 0; i < ascending.length; i++) {
            boolean isLast = i == ascending.length - 1;
            boolean isLastOfItsKind = isLast || ascending[i + 1] > ascending[i];
            if (isLastOfItsKind && (isLast || ascending[i] >= before * NEAR)) {
                points.add(new Point(ascending[i], (ascending.length - 1 - i) * weight));
                before = ascending[i];
            }
        }
        return new Distribution(interval, points, limits);
    }
}
