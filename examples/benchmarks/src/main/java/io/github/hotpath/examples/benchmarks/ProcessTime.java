package io.github.hotpath.examples.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The time at some moment, what the process has used until then, and the load of the system since the moment before; or
 * the difference of two.
 */
record ProcessTime(long nanos, long processorNanos, double systemLoad) {
    static ProcessTime now() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double load = system.getCpuLoad();
        return new ProcessTime(System.nanoTime(), system.getProcessCpuTime(), load);
    }

    /** Returns what was used since {@code before}, which was the moment before this. */
    ProcessTime minus(ProcessTime before) {
        return new ProcessTime(nanos - before.nanos, processorNanos - before.processorNanos, systemLoad);
    }

    double processors() {
        return (double) processorNanos / nanos;
    }

    /** Returns how many processors other processes kept busy, as far as the system knows. */
    double otherProcessors() {
        return Math.max(systemLoad * Runtime.getRuntime().availableProcessors() - processors(), 0);
    }
}
