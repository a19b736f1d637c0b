package io.github.hotpath.fuzz;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.hotpath.internal.PolledLock;
import io.github.hotpath.internal.StackReserve;
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

    /** One thread runs at a time, so a spin would only be many steps without effect; a deep recursion looks like a hang. */
    public static ModelCheckingOptions modelChecked(int scenarios, int invocations) {
        return common(new ModelCheckingOptions())
                .iterations(scenarios)
                .invocationsPerIteration(invocations)
                .addGuarantee(
                        forClasses(PolledLock.class.getName()).methods("spin").ignore())
                .addGuarantee(
                        forClasses(StackReserve.class.getName()).allMethods().ignore());
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
