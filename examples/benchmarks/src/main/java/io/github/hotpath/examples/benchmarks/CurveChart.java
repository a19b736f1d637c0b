package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jfree.chart.plot.DefaultDrawingSupplier;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Curves on two logarithmic axes, told apart by their marks and dashes, and by colour as well. */
final class CurveChart {
    private static final Color[] COLOURS = {
        new Color(0x1F4E79),
        new Color(0xB85410),
        new Color(0x3B7D23),
        new Color(0x8A2BA0),
        new Color(0x7A6000),
        Color.BLACK
    };
    private static final float[][] DASHES = {null, {8, 4}, {2, 3}, {10, 3, 2, 3}, {14, 5}, {5, 2}};
    private static final Shape[] MARKS = DefaultDrawingSupplier.DEFAULT_SHAPE_SEQUENCE;

    private final XYSeriesCollection curves = new XYSeriesCollection();
    private final Map<Comparable<?>, Integer> looks = new HashMap<>();
    private final String title;
    private final String xLabel;
    private final String yLabel;

    CurveChart(String title, String xLabel, String yLabel) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
    }

    /** Adds a point to a curve; one of the same {@code look}, a number, looks the same in each chart. */
    void add(String curve, int look, double x, double y) {
        if (looks.putIfAbsent(curve, look) == null) {
            curves.addSeries(new XYSeries(curve));
        }
        curves.getSeries(curve).add(x, y);
    }

    /** Adds a point to a curve that looks like no other of this chart. */
    void add(String curve, double x, double y) {
        add(curve, looks.getOrDefault(curve, looks.size()), x, y);
    }

    void write(Path file) throws IOException {
        XYPlot plot = new XYPlot(curves, Svg.logAxis(xLabel), Svg.logAxis(yLabel), lines());
        plot.setDomainGridlinePaint(Svg.LINES);
        plot.setRangeGridlinePaint(Svg.LINES);
        Svg.write(title, plot, 560, file);
    }

    private XYLineAndShapeRenderer lines() {
        XYLineAndShapeRenderer lines = new XYLineAndShapeRenderer();
        lines.setLegendLine(new Line2D.Double(-22, 0, 22, 0));
        lines.setDrawSeriesLineAsPath(true); // else the dashes begin anew at each mark
        for (int i = 0; i < curves.getSeriesCount(); i++) {
            int look = looks.get(curves.getSeriesKey(i)) % COLOURS.length;
            lines.setSeriesPaint(i, COLOURS[look]);
            lines.setSeriesShape(i, MARKS[look]);
            lines.setSeriesStroke(
                    i, new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES[look], 0));
        }
        return lines;
    }
}
