package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Paint;
import java.io.IOException;
import java.nio.file.Path;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** What an exact limit means: how many requests each limiter of a {@link Burst} granted in the last minute. */
final class BurstChart {
    private static final String TITLE = "At most 60 requests a minute: granted in the last 60 seconds";
    private static final Color LIMIT = new Color(0xB00020);
    private static final float[][] DASHES = {null, {8, 4}, null};
    private static final float[] DOTS = {3, 3};
    private static final int HEIGHT = 400;

    private final Burst burst;

    BurstChart(Burst burst) {
        this.burst = burst;
    }

    void write(Path file) throws IOException {
        XYPlot plot = new XYPlot(curves(), seconds(), requests(), lines());
        plot.setFixedLegendItems(new LegendItemCollection()); // none: the names are beside the curves
        BasicStroke dashed = new BasicStroke(1.5F, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DOTS, 0);
        ValueMarker limit = new ValueMarker(Burst.LIMIT, LIMIT, dashed);
        plot.addRangeMarker(limit, Layer.BACKGROUND);
        plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD); // ours above the others
        plot.addAnnotation(name("the limit", 1, Burst.LIMIT + 4, TextAnchor.CENTER_LEFT, LIMIT));
        plot.addAnnotation(name("no requests", 22, 7, TextAnchor.CENTER, Svg.INK));
        plot.addAnnotation(name(Burst.Kind.BUCKET_PER_MINUTE, 58, 112, TextAnchor.CENTER_RIGHT, Svg.RIVALS));
        plot.addAnnotation(name(Burst.Kind.TOKEN_BUCKET, 108, 122, TextAnchor.CENTER_LEFT, Svg.RIVALS));
        plot.addAnnotation(name(Burst.Kind.SLIDING_WINDOW_LIMITER, 82, 53, TextAnchor.CENTER_LEFT, Svg.OURS));
        Svg.write(
                TITLE,
                "A client sends nothing for 45 seconds, then four requests a second. Both forms of Bucket4j grant up to "
                        + "120 of them in 60 seconds, SlidingWindowLimiter never more than 60.",
                plot,
                HEIGHT,
                file);
    }

    private XYSeriesCollection curves() {
        XYSeriesCollection curves = new XYSeriesCollection();
        for (Burst.Kind kind : Burst.Kind.values()) {
            XYSeries curve = new XYSeries(kind);
            for (long second = 0; second <= Burst.LAST_MILLIS / 1000; second++) {
                curve.add(second, burst.inLastInterval(kind, 1000 * second));
            }
            curves.addSeries(curve);
        }
        return curves;
    }

    private static NumberAxis seconds() {
        NumberAxis axis = Svg.plain(new NumberAxis("seconds; four requests a second from second 45 on"));
        axis.setTickUnit(new NumberTickUnit(60)); // where a bucket per minute is refilled
        axis.setRange(0, Burst.LAST_MILLIS / 1000.0);
        return axis;
    }

    private static NumberAxis requests() {
        NumberAxis axis = Svg.plain(new NumberAxis("requests granted in the last 60 s"));
        axis.setTickUnit(new NumberTickUnit(Burst.LIMIT / 2.0));
        axis.setRange(0, 2.2 * Burst.LIMIT);
        return axis;
    }

    private static XYLineAndShapeRenderer lines() {
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer(true, false);
        lines.setDrawSeriesLineAsPath(true);
        for (Burst.Kind kind : Burst.Kind.values()) {
            boolean ours = Svg.isOurs(kind.toString());
            lines.setSeriesPaint(kind.ordinal(), ours ? Svg.OURS : Svg.RIVALS);
            lines.setSeriesStroke(
                    kind.ordinal(),
                    new BasicStroke(
                            ours ? 4 : 2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES[kind.ordinal()], 0));
        }
        return lines;
    }

    private static XYTextAnnotation name(Object text, double x, double y, TextAnchor anchor, Paint paint) {
        XYTextAnnotation name = new XYTextAnnotation(text.toString(), x, y);
        name.setTextAnchor(anchor);
        name.setFont(Svg.PLAIN);
        name.setPaint(paint);
        return name;
    }
}
