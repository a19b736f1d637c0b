package io.github.hotpath.examples.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Draws what each limiter of a burst grants: in the last minute, and in all. On white ground, to be read on a dark page. */
final class BurstPicture {
    private static final int LEFT = 70;
    private static final int WIDTH = 760;
    private static final int SECONDS = (int) (Burst.LAST_MILLIS / 1000);
    private static final List<String> STROKES = List.of(
            "stroke='#707070' stroke-width='2' stroke-dasharray='8,4'",
            "stroke='#707070' stroke-width='2'",
            "stroke='#707070' stroke-width='2' stroke-dasharray='2,3'",
            "stroke='#B85410' stroke-width='4'");

    private final StringBuilder svg = new StringBuilder();

    private BurstPicture() {}

    static String of(Burst burst) {
        BurstPicture chart = new BurstPicture();
        chart.svg.append("""
                <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 860 600' font-family='sans-serif' font-size='13'>
                <title>At most 60 requests a minute: how many were granted</title>
                <desc>A client sends nothing for 45 seconds, then four requests a second. Both usual forms of Bucket4j grant up
                to 120 of them in 60 seconds, SlidingWindowLimiter never more than 60. With half the capacity and half the refill
                Bucket4j keeps the limit too, and grants half as many.</desc>
                <rect width='860' height='600' fill='white'/>
                """);
        chart.text(430, 28, "middle", "At most 60 requests a minute: how many were granted");
        chart.plot(burst, burst::inLastInterval, "in the last 60 s", 50, 30, 120);
        chart.line(LEFT, 50 + 100, LEFT + WIDTH, 50 + 100, "stroke='#B00020' stroke-width='1.5'");
        chart.text(LEFT + 4, 50 + 95, "start", "the limit: 60");
        chart.text(LEFT + 70, 245, "start", "no requests");
        chart.plot(burst, burst::untilNow, "in all", 280, 60, 240);
        chart.text(430, 525, "middle", "seconds; four requests a second from second 45 on");
        int series = 0;
        for (String limiter : burst.grantedMillis().keySet()) {
            int x = LEFT + WIDTH / 2 * (series % 2);
            int y = 555 + 25 * (series / 2);
            chart.line(x, y - 4, x + 30, y - 4, STROKES.get(series++));
            chart.text(x + 36, y, "start", limiter);
        }
        return chart.svg.append("</svg>\n").toString();
    }

    /** Draws a plot of 200 in height, from 0 up to {@code most}. */
    private void plot(Burst burst, ToLongBiFunction<String, Long> granted, String name, int top, int step, int most) {
        for (int value = 0; value <= most; value += step) {
            int y = top + 200 - 200 * value / most;
            line(LEFT, y, LEFT + WIDTH, y, "stroke='#DEDEDE'");
            text(LEFT - 8, y + 4, "end", Integer.toString(value));
        }
        for (int second = 0; second <= SECONDS; second += 15) {
            text(LEFT + WIDTH * second / SECONDS, top + 220, "middle", Integer.toString(second));
        }
        text(LEFT + 4, top + 16, "start", name);
        int series = 0;
        for (String limiter : burst.grantedMillis().keySet()) {
            String points = LongStream.rangeClosed(0, SECONDS)
                    .mapToObj(second -> String.format(
                            Locale.ROOT,
                            "%.1f,%.1f",
                            LEFT + (double) WIDTH * second / SECONDS,
                            top + 200 - 200.0 * granted.applyAsLong(limiter, 1000 * second) / most))
                    .collect(Collectors.joining(" "));
            svg.append("<polyline fill='none' %s points='%s'/>\n".formatted(STROKES.get(series++), points));
        }
    }

    private void line(int x1, int y1, int x2, int y2, String stroke) {
        svg.append("<line x1='%d' y1='%d' x2='%d' y2='%d' %s/>\n".formatted(x1, y1, x2, y2, stroke));
    }

    private void text(int x, int y, String anchor, String text) {
        svg.append("<text x='%d' y='%d' text-anchor='%s'>%s</text>\n".formatted(x, y, anchor, text));
    }
}
