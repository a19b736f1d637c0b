package io.github.hotpath.examples.benchmarks;

import java.util.function.DoubleFunction;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;

/**
 * Labels for an axis of logarithms: one for each power of ten. JFreeChart's own logarithmic axis draws its labels as
 * outlines, which cannot be searched and take most of a file.
 */
final class PowersOfTen extends NumberTickUnit {
    private static final long serialVersionUID = 1;

    private final transient DoubleFunction<String> label;

    private PowersOfTen(DoubleFunction<String> label) {
        super(1);
        this.label = label;
    }

    /** Returns an axis for the logarithms, to the base of ten, of values which it labels. */
    static NumberAxis axis(String name, DoubleFunction<String> label) {
        NumberAxis axis = Svg.plain(new NumberAxis(name.replaceFirst("(;|$)", ", logarithmic$1")));
        axis.setTickUnit(new PowersOfTen(label));
        return axis;
    }

    @Override
    public String valueToString(double exponent) {
        return label.apply(Math.pow(10, exponent));
    }
}
