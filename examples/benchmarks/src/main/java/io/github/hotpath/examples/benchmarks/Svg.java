package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Stroke;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/**
 * What the charts have in common: fonts, inks, axes, and a white ground, so that they can be read on a dark page too.
 */
final class Svg {
    static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    static final Color INK = new Color(0x202020);
    static final Color OURS = new Color(0xB85410);
    static final Color RIVALS = new Color(0x808080);

    private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 16);
    private static final Color GRID = new Color(0xDEDEDE);

    /** Whole and one wide: viewers leave out some of the thin dashed lines that are JFreeChart's own choice. */
    private static final Stroke GRID_STROKE = new BasicStroke(1);

    private static final int WIDTH = 860;
    private static final List<String> OURS_BEGIN = List.of(
            "BoundedEventWindow",
            "ConcurrentEventWindow",
            "EventWindow",
            "KeyedLimiter",
            "SlidingWindowLimiter",
            "this library");

    private Svg() {}

    static {
        TextUtils.setUseDrawRotatedStringWorkaround(false); // it would draw outlines instead of text
    }

    /** Returns a number in few characters, such as 100 k. */
    static String number(double value) {
        int unit = value < 1e3 ? 0 : value < 1e6 ? 1 : value < 1e9 ? 2 : 3;
        String digits = NumberFormat.getInstance(Locale.ROOT).format(value / Math.pow(1000, unit));
        return digits + List.of("", " k", " M", " G").get(unit);
    }

    /** Returns whether a name is that of something of this library. */
    static boolean isOurs(String name) {
        return OURS_BEGIN.stream().anyMatch(name::startsWith);
    }

    static <A extends Axis> A plain(A axis) {
        axis.setLabelFont(PLAIN);
        axis.setLabelPaint(INK);
        axis.setTickLabelFont(PLAIN);
        axis.setTickLabelPaint(INK);
        return axis;
    }

    /** Writes a chart; {@code description} is for readers that cannot see it. */
    static void write(String title, String description, Plot plot, int height, Path file) throws IOException {
        JFreeChart chart = new JFreeChart(title, BOLD, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(10, 10, 10, 24));
        chart.getTitle().setPaint(INK);
        chart.getLegend().setItemFont(PLAIN);
        chart.getLegend().setItemPaint(INK);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        drawGrid(plot);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, height);
        graphics.setDefsKeyPrefix(""); // else by chance, and no two runs would write the same file
        graphics.setGeomDoubleConverter(
                number -> String.format(Locale.ROOT, "%.1f", number).replaceFirst("[.]0$", ""));
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
        String svg = graphics.getSVGElement(null, true, new ViewBox(0, 0, WIDTH, height), null, null);
        svg = svg.replaceAll(";shape-rendering:\\w+", "") // else viewers leave out lines in pictures made smaller
                .replaceAll("stroke-opacity:1[.]0;|stroke-miterlimit:10;", ""); // what is so without them
        Files.writeString(
                file, svg.replaceFirst(">", ">" + element("title", title) + element("desc", description)) + "\n");
    }

    private static void drawGrid(Plot plot) {
        if (plot instanceof XYPlot xy) {
            xy.setDomainGridlinePaint(GRID);
            xy.setDomainGridlineStroke(GRID_STROKE);
            xy.setRangeGridlinePaint(GRID);
            xy.setRangeGridlineStroke(GRID_STROKE);
        } else if (plot instanceof CategoryPlot categories) {
            categories.setRangeGridlinePaint(GRID);
            categories.setRangeGridlineStroke(GRID_STROKE);
        }
    }

    private static String element(String name, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        return Matcher.quoteReplacement("<" + name + ">" + escaped + "</" + name + ">");
    }
}
