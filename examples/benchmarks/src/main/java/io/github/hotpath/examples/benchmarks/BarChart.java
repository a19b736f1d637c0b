package io.github.hotpath.examples.benchmarks;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;

/** Bars side by side each with its value: dark ones for the first series, light ones for the second. */
final class BarChart {
    private static final Color[] FILLS = {new Color(0x1F4E79), new Color(0xBDD7EE)};

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
        ValueAxis axis = axis();
        CategoryPlot plot = new CategoryPlot(values, categories(), axis, bars(axis.getLowerBound()));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(Svg.LINES);
        int height = 150 + values.getColumnCount() * (14 + 20 * values.getRowCount());
        Svg.write(title, plot, height, file);
    }

    /**
     * Returns an axis for the values, logarithmic from a power of ten on if they differ much, with room for the labels.
     */
    private ValueAxis axis() {
        Range range = DatasetUtils.findRangeBounds(values, false);
        boolean logarithmic = range.getUpperBound() > 20 * range.getLowerBound();
        double from = logarithmic ? Math.pow(10, Math.ceil(Math.log10(range.getLowerBound()) - 1)) : 0;
        ValueAxis axis = logarithmic ? Svg.logAxis(unit + ", logarithmic") : Svg.plain(new NumberAxis(unit));
        axis.setRange(from, range.getUpperBound() * (logarithmic ? 3 : 1.15));
        return axis;
    }

    private static CategoryAxis categories() {
        CategoryAxis axis = Svg.plain(new CategoryAxis());
        axis.setMaximumCategoryLabelWidthRatio(0.4F);
        axis.setLowerMargin(0.02);
        axis.setUpperMargin(0.02);
        return axis;
    }

    private BarRenderer bars(double base) {
        BarRenderer bars = new BarRenderer();
        bars.setBase(base);
        bars.setIncludeBaseInRange(false);
        bars.setBarPainter(new StandardBarPainter());
        bars.setShadowVisible(false);
        bars.setDrawBarOutline(true);
        bars.setItemMargin(0.05);
        bars.setDefaultItemLabelGenerator(new Label());
        bars.setDefaultItemLabelsVisible(true);
        bars.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        bars.setDefaultItemLabelFont(Svg.PLAIN);
        bars.setDefaultItemLabelPaint(Svg.INK);
        for (int series = 0; series < values.getRowCount(); series++) {
            bars.setSeriesPaint(series, FILLS[series]);
            bars.setSeriesOutlinePaint(series, Svg.INK);
        }
        return bars;
    }

    private static final class Label extends StandardCategoryItemLabelGenerator {
        private static final long serialVersionUID = 1;

        @Override
        public String generateLabel(CategoryDataset values, int row, int column) {
            return MarkdownTable.figure(values.getValue(row, column).doubleValue());
        }
    }
}
