package io.github.hotpath.limit;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/**
 * The calls of which Lincheck chooses, on some limiters alone and together, or on their models. Each thread adjusts its
 * own last reservation. Public, as it must be.
 */
@Param(name = "named", gen = IntGen.class, conf = "0:10")
@Param(name = "nanos", gen = IntGen.class, conf = "0:8")
@Param(name = "permits", gen = IntGen.class, conf = "1:2")
@Param(name = "adjusted", gen = IntGen.class, conf = "0:3")
@Param(name = "delay", gen = IntGen.class, conf = "0:6")
@Param(name = "thread", gen = ThreadIdGen.class)
public abstract class JointCalls {
    private static final int THREADS = 8;

    private final JointReservations reservations = new JointReservations(THREADS);

    JointCalls() {}

    /** Returns the limiters that such a number names. */
    abstract LimiterCalls target(int named);

    /** Returns the time of a call. */
    long time(int nanos) {
        return nanos;
    }

    @Operation
    public boolean tryAcquire(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
        return target(named).tryAcquire(time(nanos), permits);
    }

    @Operation
    public long tryAcquireOrDelay(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
        return target(named).tryAcquireOrDelay(time(nanos), permits);
    }

    @Operation
    public String decide(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
        return target(named).decide(time(nanos), permits).toString();
    }

    @Operation
    public String peek(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
        return target(named).peek(time(nanos), permits).toString();
    }

    @Operation
    public String reserve(
            @Param(name = "thread") int thread,
            @Param(name = "named") int named,
            @Param(name = "nanos") int nanos,
            @Param(name = "permits") int permits,
            @Param(name = "delay") int delay) {
        return reservations.add(thread, target(named).reserve(time(nanos), permits, delay));
    }

    @Operation
    public boolean adjust(@Param(name = "thread") int thread, @Param(name = "adjusted") int permits) {
        return reservations.adjustLast(thread, permits);
    }

    @Operation
    public void record(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "permits") int permits) {
        target(named).record(time(nanos), permits);
    }

    @Operation
    public void closeFor(
            @Param(name = "named") int named, @Param(name = "nanos") int nanos, @Param(name = "delay") int duration) {
        target(named).closeFor(time(nanos), duration);
    }

    @Operation
    public long available(@Param(name = "named") int named, @Param(name = "nanos") int nanos) {
        return target(named).available(time(nanos));
    }

    @Operation
    public boolean isIdle(@Param(name = "named") int named, @Param(name = "nanos") int nanos) {
        return target(named).isIdle(time(nanos));
    }
}
