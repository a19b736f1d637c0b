package io.github.hotpath.examples.benchmarks;

import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.svg.SVGGraphics2D;

/**
 * What the charts have in common: fonts, inks, axes, and a white ground, so that they can be read on a dark page too.
 */
final class Svg {
    static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    static final Color INK = new Color(0x202020);
    static final Color LINES = new Color(0xC8C8C8);

    private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 16);
    private static final int WIDTH = 860;

    private Svg() {}

    /** Returns an axis with a label at each power of ten. */
    static LogAxis logAxis(String label) {
        LogAxis axis = plain(new LogAxis(label));
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(NumberFormat.getInstance(Locale.ROOT));
        return axis;
    }

    static <A extends Axis> A plain(A axis) {
        axis.setLabelFont(PLAIN);
        axis.setLabelPaint(INK);
        axis.setTickLabelFont(PLAIN);
        axis.setTickLabelPaint(INK);
        return axis;
    }

    static void write(String title, Plot plot, int height, Path file) throws IOException {
        JFreeChart chart = new JFreeChart(title, BOLD, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(10, 10, 10, 24));
        chart.getTitle().setPaint(INK);
        chart.getLegend().setItemFont(PLAIN);
        chart.getLegend().setItemPaint(INK);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, height);
        graphics.setDefsKeyPrefix(""); // else by chance, and no two runs would write the same file
        chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
        Files.writeString(file, graphics.getSVGElement() + "\n");
    }
}
