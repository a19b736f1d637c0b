package io.github.hotpath.examples.benchmarks;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.CategoryDataset;

/** Dots, with whiskers below them and their values right of these. */
final class Dots extends LineAndShapeRenderer {
    private static final long serialVersionUID = 1;

    private static final BasicStroke WHISKER = new BasicStroke(1.5F);

    /** Half of the bar at the end of a whisker. */
    private static final double CAP = 4;

    private final transient CategoryDataset least;
    private final transient CategoryDataset most;

    /** Where the item is drawn, for its label. */
    private transient Rectangle2D dataArea = new Rectangle2D.Double();

    Dots(CategoryDataset least, CategoryDataset most) {
        super(false, true);
        this.least = least;
        this.most = most;
    }

    @Override
    public Paint getItemPaint(int row, int column) {
        return BarChart.paint(getPlot().getDataset(), row, column, super.getItemPaint(row, column));
    }

    @Override
    public void drawItem(
            Graphics2D graphics,
            CategoryItemRendererState state,
            Rectangle2D area,
            CategoryPlot plot,
            CategoryAxis categories,
            ValueAxis axis,
            CategoryDataset drawn,
            int row,
            int column,
            int pass) {
        dataArea = area;
        Number end = end(most, drawn, row, column);
        if (pass == 1 && end != null) {
            double y = categories.getCategorySeriesMiddle(
                    column,
                    drawn.getColumnCount(),
                    state.getVisibleSeriesIndex(row),
                    state.getVisibleSeriesCount(),
                    getItemMargin(),
                    area,
                    plot.getDomainAxisEdge());
            double from =
                    axis.valueToJava2D(end(least, drawn, row, column).doubleValue(), area, plot.getRangeAxisEdge());
            double to = axis.valueToJava2D(end.doubleValue(), area, plot.getRangeAxisEdge());
            drawWhisker(graphics, from, to, y);
        }
        super.drawItem(graphics, state, area, plot, categories, axis, drawn, row, column, pass);
    }

    private static void drawWhisker(Graphics2D graphics, double from, double to, double y) {
        graphics.setPaint(Svg.INK);
        graphics.setStroke(WHISKER);
        graphics.draw(new Line2D.Double(from, y, to, y));
        graphics.draw(new Line2D.Double(from, y - CAP, from, y + CAP));
        graphics.draw(new Line2D.Double(to, y - CAP, to, y + CAP));
    }

    @Override
    protected void drawItemLabel(
            Graphics2D graphics,
            PlotOrientation orientation,
            CategoryDataset drawn,
            int row,
            int column,
            double x,
            double y,
            boolean negative) {
        Number end = end(most, drawn, row, column);
        CategoryPlot plot = getPlot();
        double right = end == null
                ? x
                : plot.getRangeAxis().valueToJava2D(end.doubleValue(), dataArea, plot.getRangeAxisEdge());
        super.drawItemLabel(graphics, orientation, drawn, row, column, Math.max(x, right), y, negative);
    }

    /** Returns where a whisker ends, or null if there is none. */
    private static Number end(CategoryDataset ends, CategoryDataset drawn, int row, int column) {
        int endRow = ends.getRowIndex(drawn.getRowKey(row));
        int endColumn = ends.getColumnIndex(drawn.getColumnKey(column));
        return endRow < 0 || endColumn < 0 ? null : ends.getValue(endRow, endColumn);
    }
}
