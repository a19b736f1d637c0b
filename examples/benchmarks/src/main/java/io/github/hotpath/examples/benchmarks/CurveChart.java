package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.DefaultDrawingSupplier;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.general.DatasetUtils;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Curves on two logarithmic axes, each with its name at its end: ours in one strong colour, rivals in grey, told apart
 * by their marks and dashes.
 */
final class CurveChart {
    private static final float[][] DASHES = {null, {8, 4}, {2, 3}, {10, 3, 2, 3}, {14, 5}, {5, 2}};
    private static final Shape[] MARKS = DefaultDrawingSupplier.DEFAULT_SHAPE_SEQUENCE;

    private static final int HEIGHT = 560;

    /** Of the height, what a line of text takes. */
    private static final double LINE = 0.038;

    /** Of the range of the points, what is between a point and a name. */
    private static final double GAP = 0.02;

    /** Of the same, what the names take. */
    private static final double NAMES = 0.55;

    private final XYSeriesCollection curves = new XYSeriesCollection();
    private final String title;
    private final String xLabel;
    private final String yLabel;

    CurveChart(String title, String xLabel, String yLabel) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    /** Adds a point to a curve. */
    void add(String curve, double x, double y) {
        if (curves.getSeriesIndex(curve) < 0) {
            curves.addSeries(new XYSeries(curve));
        }
        curves.getSeries(curve).add(Math.log10(x), Math.log10(y));
    }

    void write(Path file) throws IOException {
        Range x = DatasetUtils.findDomainBounds(curves, false);
        NumberAxis xAxis =
                PowersOfTen.axis(xLabel, value -> Math.log10(value) > x.getUpperBound() + 0.1 ? "" : Svg.number(value));
        xAxis.setRange(x.getLowerBound() - 0.1, x.getUpperBound() + NAMES * x.getLength());
        NumberAxis yAxis = PowersOfTen.axis(yLabel, Svg::number);
        Range y = DatasetUtils.findRangeBounds(curves, false);
        yAxis.setRange(Math.floor(y.getLowerBound()), Math.ceil(y.getUpperBound()));
        XYLineAndShapeRenderer lines = lines();
        XYPlot plot = new XYPlot(curves, xAxis, yAxis, lines);
        plot.setFixedLegendItems(new LegendItemCollection()); // none: the names are at the ends of the curves
        names(lines, GAP * x.getLength(), LINE * yAxis.getRange().getLength()).forEach(plot::addAnnotation);
        Svg.write(title, "Across: " + xLabel + ". Up: " + yLabel + ". Both axes are logarithmic.", plot, HEIGHT, file);
    }

    /** Returns the names of the curves, each right of its last point, or above the name below if that is near. */
    private List<XYTextAnnotation> names(XYLineAndShapeRenderer lines, double gap, double distance) {
        List<XYSeries> series = new ArrayList<>();
        for (int i = 0; i < curves.getSeriesCount(); i++) {
            series.add(curves.getSeries(i));
        }
        series.sort(Comparator.comparingDouble(CurveChart::end));
        List<XYTextAnnotation> names = new ArrayList<>();
        double lowest = Double.NEGATIVE_INFINITY;
        for (XYSeries curve : series) {
            double at = Math.max(end(curve), lowest);
            XYTextAnnotation name = new XYTextAnnotation(curve.getKey().toString(), curve.getMaxX() + gap, at);
            name.setTextAnchor(TextAnchor.CENTER_LEFT);
            name.setFont(Svg.PLAIN);
            name.setPaint(lines.getSeriesPaint(curves.indexOf(curve)));
            names.add(name);
            lowest = at + distance;
        }
        return names;
    }

    /** Returns the ordinate of the last point of a curve. */
    private static double end(XYSeries curve) {
        return curve.getY(curve.getItemCount() - 1).doubleValue();
    }

    private XYLineAndShapeRenderer lines() {
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer();
        lines.setDrawSeriesLineAsPath(true); // else the dashes begin anew at each mark
        int ours = 0;
        int rivals = 0;
        for (int i = 0; i < curves.getSeriesCount(); i++) {
            boolean isOurs = Svg.isOurs(curves.getSeriesKey(i).toString());
            int look = isOurs ? ours++ : rivals++;
            lines.setSeriesPaint(i, isOurs ? Svg.OURS : Svg.RIVALS);
            lines.setSeriesShape(i, MARKS[(isOurs ? look : look + 1) % MARKS.length]);
            float[] dash = DASHES[(isOurs ? look : look + 1) % DASHES.length];
            lines.setSeriesStroke(
                    i, new BasicStroke(isOurs ? 3 : 2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0));
        }
        return lines;
    }
}
