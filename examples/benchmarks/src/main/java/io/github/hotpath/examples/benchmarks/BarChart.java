package io.github.hotpath.examples.benchmarks;

import java.awt.Color;
import java.awt.Paint;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.io.IOException;
import java.nio.file.Path;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;

/**
 * Bars side by side, each with its value; or dots on a logarithmic axis, where the length of a bar would mean nothing,
 * if the values differ much. Ours are in a strong colour, rivals in grey; those of the second series are lighter.
 */
final class BarChart {
    private static final Color[] OURS = {Svg.OURS, new Color(0xF0C8A8)};
    private static final Color[] RIVALS = {Svg.RIVALS, new Color(0xD8D8D8)};

    private static final Shape DOT = new Ellipse2D.Double(-6, -6, 12, 12);

    private final DefaultCategoryDataset values = new DefaultCategoryDataset();

    private final String title;
    private final String unit;

    BarChart(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    void add(String series, String bar, double value) {
        values.addValue(value, series, bar);
    }

    void write(Path file) throws IOException {
        Range range = DatasetUtils.findRangeBounds(values, false);
        boolean logarithmic = range.getUpperBound() > 20 * range.getLowerBound();
        CategoryPlot plot = logarithmic ? dots(range) : bars(range);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        int height = 150 + values.getColumnCount() * (14 + 20 * values.getRowCount());
        Svg.write(
                title, "Horizontal axis: " + unit + ". The figures are in the table of the page.", plot, height, file);
    }

    private CategoryPlot bars(Range range) {
        NumberAxis axis = Svg.plain(new NumberAxis(unit));
        axis.setRange(0, range.getUpperBound() * 1.15);
        Bars bars = new Bars();
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        bars.setDrawBarOutline(true);
        bars.setItemMargin(0.05);
        label(bars);
        return new CategoryPlot(values, categories(), axis, bars);
    }

    /** Returns a plot of the logarithms, with room for the labels. */
    private CategoryPlot dots(Range range) {
        DefaultCategoryDataset logarithms = new DefaultCategoryDataset();
        for (int row = 0; row < values.getRowCount(); row++) {
            for (int column = 0; column < values.getColumnCount(); column++) {
                Number value = values.getValue(row, column);
                Double logarithm = value == null ? null : Math.log10(value.doubleValue());
                logarithms.addValue(logarithm, values.getRowKey(row), values.getColumnKey(column));
            }
        }
        NumberAxis axis = PowersOfTen.axis(unit, Svg::number);
        Range drawn = new Range(Math.log10(range.getLowerBound()), Math.log10(range.getUpperBound()));
        axis.setRange(Math.floor(drawn.getLowerBound()), drawn.getUpperBound() + 0.3 * drawn.getLength());
        Dots dots = new Dots();
        dots.setUseSeriesOffset(true);
        dots.setDrawOutlines(true);
        dots.setUseOutlinePaint(true);
        label(dots);
        return new CategoryPlot(logarithms, categories(), axis, dots);
    }

    private static CategoryAxis categories() {
        CategoryAxis axis = Svg.plain(new CategoryAxis());
        axis.setMaximumCategoryLabelWidthRatio(0.4F);
        axis.setLowerMargin(0.02);
        axis.setUpperMargin(0.02);
        return axis;
    }

    private void label(AbstractCategoryItemRenderer marks) {
        marks.setDefaultItemLabelGenerator(new Label(values));
        marks.setDefaultItemLabelsVisible(true);
        ItemLabelPosition right = new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT);
        marks.setDefaultPositiveItemLabelPosition(right);
        marks.setDefaultNegativeItemLabelPosition(right); // logarithms of values below 1 are
        marks.setItemLabelInsets(new RectangleInsets(8, 8, 8, 8));
        marks.setDefaultItemLabelFont(Svg.PLAIN);
        marks.setDefaultItemLabelPaint(Svg.INK);
        for (int series = 0; series < values.getRowCount(); series++) {
            marks.setSeriesPaint(series, (isOurs(series) ? OURS : RIVALS)[alike(series)]);
            marks.setSeriesOutlinePaint(series, Svg.INK);
            marks.setSeriesShape(series, DOT);
        }
    }

    /** Returns how many series before this one are ours, if it is, or rivals'. */
    private int alike(int series) {
        int alike = 0;
        for (int before = 0; before < series; before++) {
            alike += isOurs(before) == isOurs(series) ? 1 : 0;
        }
        return alike;
    }

    private boolean isOurs(int series) {
        return Svg.isOurs(values.getRowKey(series).toString());
    }

    /** Returns the colour of ours for a bar of ours, and the colour of the series otherwise. */
    static Paint paint(CategoryDataset values, int row, int column, Paint otherwise) {
        return Svg.isOurs(values.getColumnKey(column).toString()) ? OURS[row] : otherwise;
    }

    private static final class Bars extends BarRenderer {
        private static final long serialVersionUID = 1;

        @Override
        public Paint getItemPaint(int row, int column) {
            return paint(getPlot().getDataset(), row, column, super.getItemPaint(row, column));
        }
    }

    private static final class Dots extends LineAndShapeRenderer {
        private static final long serialVersionUID = 1;

        Dots() {
            super(false, true);
        }

        @Override
        public Paint getItemPaint(int row, int column) {
            return paint(getPlot().getDataset(), row, column, super.getItemPaint(row, column));
        }
    }

    /** The value of a mark, which may be drawn at its logarithm. */
    private static final class Label extends StandardCategoryItemLabelGenerator {
        private static final long serialVersionUID = 1;

        private final transient CategoryDataset values;

        Label(CategoryDataset values) {
            this.values = values;
        }

        @Override
        public String generateLabel(CategoryDataset drawn, int row, int column) {
            return MarkdownTable.rounded(values.getValue(row, column).doubleValue());
        }
    }
}
