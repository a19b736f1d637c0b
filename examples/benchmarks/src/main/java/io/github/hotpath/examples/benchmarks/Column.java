package io.github.hotpath.examples.benchmarks;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The columns of one kind: which results have a cell there, of which title, and what is in it. */
record Column(Predicate<Measured> takes, Function<Measured, String> title, Function<Measured, String> cell) {
    /** Of what each call takes: the median of the forks, and their range where they differ much. */
    static Column times(Function<Measured, String> title) {
        return new Column(result -> true, title, result -> result.primary().figure());
    }

    /** Of what is as exact as it is written, such as a size in memory. */
    static Column of(Function<Measured, String> title, ToDoubleFunction<Measured> value) {
        return new Column(result -> true, title, result -> MarkdownTable.figure(value.applyAsDouble(result)));
    }

    /** Of what differs from run to run in the third digit at the latest. */
    static Column rounded(Function<Measured, String> title, ToDoubleFunction<Measured> value) {
        return new Column(result -> true, title, result -> MarkdownTable.rounded(value.applyAsDouble(result)));
    }

    /** Returns these columns of some results only. */
    Column where(Predicate<Measured> takes) {
        return new Column(takes, title, cell);
    }
}
