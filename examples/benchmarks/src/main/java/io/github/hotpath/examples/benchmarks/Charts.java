package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.ToLongBiFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;

/** Draws the picture of the README, on white ground, so that they can be read on a dark page too. */
final class Charts {
    private static final int WIDTH = 860;
    private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 16);
    private static final Color INK = new Color(0x202020);
    private static final Color GRID = new Color(0xDEDEDE);
    private static final Color OURS = new Color(0xB85410);
    private static final Color LIMIT = new Color(0xB00020);

    private Charts() {}

    static void write(Path dir) throws IOException {
        TextUtils.setUseDrawRotatedStringWorkaround(false); // it would draw outlines instead of text
        Burst burst = Burst.run();
        Files.write(dir.resolve(Path.of("raw", "burst.txt")), burst.lines());
        writeBurst(burst, dir.resolve("burst.svg"));
    }

    /** Draws what each limiter of a burst granted in the last minute, and below what it granted in all. */
    private static void writeBurst(Burst burst, Path file) throws IOException {
        XYPlot minute = lines(burst, burst::inLastInterval, "in the last 60 s", 130);
        ValueMarker limit = new ValueMarker(Burst.LIMIT, LIMIT, new BasicStroke(1.5F));
        minute.addRangeMarker(limit, Layer.BACKGROUND);
        minute.setFixedLegendItems(new LegendItemCollection()); // those of the other plot are the same
        minute.addAnnotation(text("the limit: 60", 1, Burst.LIMIT + 6, LIMIT));
        minute.addAnnotation(text("no requests", 14, 10, INK));
        XYPlot all = lines(burst, burst::untilNow, "in all", 250);
        NumberAxis seconds = plain(new NumberAxis("seconds; four requests a second from second 45 on"));
        seconds.setTickUnit(new NumberTickUnit(15));
        seconds.setRange(0, Burst.LAST_MILLIS / 1000.0);
        CombinedDomainXYPlot plot = new CombinedDomainXYPlot(seconds);
        plot.setGap(20);
        plot.add(minute);
        plot.add(all);
        plot.setOrientation(PlotOrientation.VERTICAL);
        write(
                "At most 60 requests a minute: how many were granted",
                "A client sends nothing for 45 seconds, then four requests a second. Both usual forms of Bucket4j grant up "
                        + "to 120 of them in 60 seconds, SlidingWindowLimiter never more than 60. With half the capacity "
                        + "and half the refill Bucket4j keeps the limit too, and grants half as many.",
                plot,
                600,
                file);
    }

    private static XYPlot lines(Burst burst, ToLongBiFunction<String, Long> granted, String name, double most) {
        XYSeriesCollection curves = new XYSeriesCollection();
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer(true, false);
        lines.setDrawSeriesLineAsPath(true);
        for (String limiter : burst.grantedMillis().keySet()) {
            XYSeries curve = new XYSeries(limiter);
            for (long second = 0; second <= Burst.LAST_MILLIS / 1000; second++) {
                curve.add(second, granted.applyAsLong(limiter, 1000 * second));
            }
            int series = curves.getSeriesCount();
            boolean isOurs = limiter.equals("SlidingWindowLimiter");
            float[] dashes = new float[][] {{8, 4}, null, {2, 3}, null}[series];
            lines.setSeriesPaint(series, isOurs ? OURS : new Color(0x707070));
            lines.setSeriesStroke(
                    series,
                    new BasicStroke(isOurs ? 4 : 2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
            curves.addSeries(curve);
        }
        NumberAxis axis = plain(new NumberAxis(name));
        axis.setRange(-2, most);
        axis.setTickUnit(new NumberTickUnit(most > 200 ? 60 : 30));
        XYPlot plot = new XYPlot(curves, null, axis, lines);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        plot.setOutlineVisible(false);
        plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD); // ours above the others
        return plot;
    }

    private static XYTextAnnotation text(String text, double x, double y, Paint paint) {
        XYTextAnnotation annotation = new XYTextAnnotation(text, x, y);
        annotation.setTextAnchor(TextAnchor.CENTER_LEFT);
        annotation.setFont(PLAIN);
        annotation.setPaint(paint);
        return annotation;
    }

    private static <A extends Axis> A plain(A axis) {
        axis.setLabelFont(PLAIN);
        axis.setTickLabelFont(PLAIN);
        axis.setLabelPaint(INK);
        axis.setTickLabelPaint(INK);
        return axis;
    }

    /** Writes a chart; {@code description} is for readers that cannot see it. */
    private static void write(String title, String description, Plot plot, int height, Path file) throws IOException {
        JFreeChart chart = new JFreeChart(title, BOLD, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(10, 10, 10, 24));
        chart.getLegend().setItemFont(PLAIN);
        chart.getLegend().setFrame(BlockBorder.NONE);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, height);
        graphics.setDefsKeyPrefix(""); // else by chance, and no two runs would write the same file
        graphics.setGeomDoubleConverter(
                number -> String.format(Locale.ROOT, "%.1f", number).replaceFirst("[.]0$", ""));
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
        String names = "><title>" + title + "</title><desc>" + description + "</desc>";
        Files.writeString(file, graphics.getSVGElement().replaceFirst(">", names) + "\n");
    }
}
