package io.github.hotpath.fuzz;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.hotpath.internal.PolledLock;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** How Lincheck runs random calls of three threads: at once, or in one order of their steps after another. */
public final class Interleavings {
    private Interleavings() {}

    /** Returns how to run them at once. */
    public static StressOptions stressed(int scenarios) {
        return common(new StressOptions()).iterations(scenarios).invocationsPerIteration(1_000);
    }

    /**
     * One thread runs at a time, so polling would only be many steps without effect.
     */
    public static ModelCheckingOptions modelChecked(int scenarios, int invocations) {
        return common(new ModelCheckingOptions())
                .iterations(scenarios)
                .invocationsPerIteration(invocations)
                .addGuarantee(
                        forClasses(PolledLock.class.getName()).methods("lock").ignore());
    }

    /** The same with given calls: {@code first}, and then those of two threads. */
    public static ModelCheckingOptions modelChecked(List<Actor> first, List<Actor> one, List<Actor> other) {
        return modelChecked(0, 60)
                .addCustomScenario(new ExecutionScenario(first, List.of(one, other), List.of(), null));
    }

    /** Returns a call of the only method of this name. */
    public static Actor call(Class<?> type, String name, Object... arguments) {
        Method method = Arrays.stream(type.getMethods())
                .filter(candidate -> candidate.getName().equals(name))
                .findAny()
                .orElseThrow();
        return new Actor(method, List.of(arguments));
    }

    /** Nothing is called before the threads start, so that they contend for what is new. */
    private static <O extends Options<O, ?>> O common(O options) {
        return options.threads(3)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }
}
