package io.github.hotpath.examples.benchmarks;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The columns of one kind: which results have a value there, of which title, and what it is. */
record Column(Predicate<Measured> takes, Function<Measured, String> title, ToDoubleFunction<Measured> value) {
    static Column of(Function<Measured, String> title, ToDoubleFunction<Measured> value) {
        return new Column(result -> true, title, value);
    }
}
