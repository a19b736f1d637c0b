package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.general.DatasetUtils;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Durations on a logarithmic axis: a line for each row from its least value to its largest, with a mark at each value
 * and the largest in words, ours in a strong colour and rivals in grey.
 */
final class RangeChart {
    private static final Shape DOT = new Ellipse2D.Double(-4, -4, 8, 8);
    private static final Shape BAR = new Rectangle2D.Double(-1.5, -6, 3, 12);

    private final XYSeriesCollection lines = new XYSeriesCollection();
    private final List<String> names = new ArrayList<>();
    private final Marks marks = new Marks();
    private final List<XYTextAnnotation> labels = new ArrayList<>();
    private final String title;
    private final String values;

    /** Takes the title and what the values of a row are. */
    RangeChart(String title, String values) {
        this.title = title;
        this.values = values;
    }

    /** Adds a row without values, for a heading. */
    void addHeading(String heading) {
        add(heading, false);
    }

    /** Adds a row with its values, the least first. */
    void add(String name, boolean ours, double... nanos) {
        int row = names.size();
        names.add(name);
        XYSeries line = new XYSeries(row);
        for (double value : nanos) {
            line.add(Math.log10(value), row);
        }
        lines.addSeries(line);
        marks.setSeriesPaint(row, ours ? Svg.OURS : Svg.RIVALS);
        marks.setSeriesStroke(row, new BasicStroke(ours ? 3 : 2));
        if (nanos.length > 0) {
            labels.add(label(nanos[nanos.length - 1], row));
        }
    }

    private static XYTextAnnotation label(double nanos, int row) {
        XYTextAnnotation label = new XYTextAnnotation(duration(nanos), Math.log10(nanos) + 0.1, row);
        label.setTextAnchor(TextAnchor.CENTER_LEFT);
        label.setFont(Svg.PLAIN);
        label.setPaint(Svg.INK);
        return label;
    }

    void write(Path file) throws IOException {
        XYPlot plot = new XYPlot(lines, durations(), rows(), marks);
        labels.forEach(plot::addAnnotation);
        plot.setRangeGridlinesVisible(false);
        plot.setFixedLegendItems(new LegendItemCollection()); // none: the names are beside the lines
        Svg.write(
                title,
                "Horizontal axis: " + values + ", of each row. It is logarithmic.",
                plot,
                120 + 22 * names.size(),
                file);
    }

    private SymbolAxis rows() {
        SymbolAxis axis = Svg.plain(new SymbolAxis(null, names.toArray(String[]::new)));
        axis.setInverted(true);
        axis.setGridBandsVisible(false);
        axis.setTickMarksVisible(false);
        return axis;
    }

    /** Returns an axis for logarithms, with a label at each power of ten and room for the words on the right. */
    private NumberAxis durations() {
        NumberAxis axis = PowersOfTen.axis(values, RangeChart::duration);
        Range range = DatasetUtils.findDomainBounds(lines, false);
        axis.setRange(Math.floor(range.getLowerBound()), range.getUpperBound() + 0.8);
        return axis;
    }

    /** Returns a duration in the largest unit of which it is one or more, with two digits at least. */
    static String duration(double nanos) {
        int unit = nanos < 1e3 ? 0 : nanos < 1e6 ? 1 : nanos < 1e9 ? 2 : 3;
        double value = nanos / Math.pow(1000, unit);
        boolean whole = value >= 9.95 || value == Math.rint(value);
        return String.format(Locale.ROOT, whole ? "%.0f " : "%.1f ", value)
                + List.of("ns", "µs", "ms", "s").get(unit);
    }

    /** Dots, and a bar at the end of each line. */
    private static final class Marks extends XYLineAndShapeRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Shape getItemShape(int row, int column) {
            return column + 1 < getPlot().getDataset().getItemCount(row) ? DOT : BAR;
        }
    }
}
