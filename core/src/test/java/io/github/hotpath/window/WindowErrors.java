package io.github.hotpath.window;

import static io.github.hotpath.window.ErrorCalls.check;
import static io.github.hotpath.window.ErrorCalls.checkCounts;

import io.github.hotpath.testing.Watchdog;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * An exact window, and random calls on it that throw errors: it holds each event whose call has returned, perhaps some
 * whose calls have thrown, and no other, and all reads agree on them.
 */
final class WindowErrors {
    /** The time from one event to the next. */
    private static final int STEP = 2;

    /** What is recorded at once, to fill more than a chunk. */
    private static final int BURST = 1_100;

    /** No event is older when a round begins, and none is later by more when it is recorded. */
    private static final int BACK = 1 << 15;

    /** How far one call moves on at most. */
    private static final int FARTHEST = 1 << 14;

    /** What the calls are like. Each but {@code interval} is a share of 16. */
    private record Mix(int interval, int late, int bursts, int jumps) {}

    /** Times are offsets from here, so that they can be compared as numbers: it wraps on the way. */
    private final long start = Long.MAX_VALUE - 200_000;

    private final AnyWindow window;
    private final Mix mix;
    private final Calls[] all;

    /** The time of the first slot of the accounts, which have one for each time. */
    private long base;

    private WindowErrors(ErrorProgram program, AnyWindow.Kind kind, int threads, Mix mix) {
        this.window = kind.ofNanos(mix.interval);
        this.mix = mix;
        int slots = BACK + (program.isShortOfMemory() ? 1 << 16 : 1 << 18);
        this.all = program.calls(threads, seed -> new Calls(seed, slots), Calls[]::new);
    }

    static void run(ErrorProgram program, AnyWindow.Kind kind) {
        boolean memory = program.isShortOfMemory();
        run("few events", program, kind, 1, 5, new Mix(12, 3, 0, 1));
        run("thousands", program, kind, 1, 3_000, new Mix(6_000, 3, memory ? 2 : 1, 0));
        run("expiring in bulk", program, kind, 1, 3_000, new Mix(6_000, 2, 3, 3));
        run("late events", program, kind, 1, memory ? 3_000 : 5_000, new Mix(memory ? 6_000 : 10_000, 10, 1, 0));
        if (!memory) {
            run("many chunks", program, kind, 1, 12_000, new Mix(24_000, 2, 3, 0));
        }
        if (kind == AnyWindow.Kind.CONCURRENT) {
            if (!memory) {
                run("stripes", program, kind, 1, 100, new Mix(6_000, 3, 1, 1));
            }
            run("threads at once", program, kind, 3, 100, new Mix(1 << 30, 3, memory ? 2 : 1, 0));
        }
    }

    private static void run(
            String situation, ErrorProgram program, AnyWindow.Kind kind, int threads, int fill, Mix mix) {
        boolean memory = program.isShortOfMemory();
        WindowErrors errors = new WindowErrors(program, kind, threads, mix);
        if (kind == AnyWindow.Kind.CONCURRENT && !memory) {
            errors.contend();
        }
        // Every second time a new window if memory is short: what it has not needed yet, it must still allocate.
        int kept = threads > 1 ? 1 : memory ? 2 : 16;
        program.run(situation, errors.all, round -> {
            boolean clear = (round + 1) % kept == 0;
            int events = memory ? program.random().nextInt(2 * fill) : fill;
            errors.audit(clear, clear ? events : 0);
        });
    }

    /** Has threads contend for the window, so that there are several stripes, and clears it. */
    private void contend() {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    window.record().accept(start);
                    if (k % 1_000 == 0) {
                        window.count().applyAsLong(start);
                    }
                }
            });
            threads[i].start();
        }
        if (!Watchdog.end(threads)) {
            Watchdog.endHanging("contend");
        }
        window.clear().run();
    }

    private final class Calls extends ErrorCalls {
        /** The latest time of a call that has returned. */
        private long latest;

        /** The latest time of any call. */
        private long clock;

        Calls(long seed, int slots) {
            super(seed, slots);
        }

        @Override
        public boolean hasRoom() {
            return clock - base < most.length - FARTHEST;
        }

        /** Makes one random call, or a burst of records. */
        @Override
        public void make() {
            if (!hasRoom()) {
                return;
            }
            long bits = randomBits();
            int kind = (int) (bits >>> 60);
            long some = bits >>> 8 & 1023;
            if (kind < mix.late) {
                record(clock - some * ((mix.interval < BACK ? mix.interval : BACK) / 4 * 3) / 1024);
            } else if (kind < mix.late + mix.bursts) {
                fill(BURST);
            } else if (kind < mix.late + mix.bursts + mix.jumps) {
                record(clock + mix.interval / 2 + some * mix.interval / 1024);
            } else {
                makeOther((int) (bits >>> 40 & 7), some);
            }
        }

        private void makeOther(int kind, long some) {
            switch (kind) {
                case 0, 1 -> record(clock + STEP);
                case 2 -> window.count().applyAsLong(start + clock + some);
                case 3 -> window.count().applyAsLong(start + clock + some * mix.interval / 1024);
                case 4, 5 -> trim(clock + STEP);
                case 6 -> window.toArray().get();
                default -> recordAndCount(clock + STEP - some / 512 * 3 * STEP); // half of them out of order
            }
        }

        /** Records {@code events} events, one after the other. */
        void fill(int events) {
            for (int i = 0; i < events; i++) {
                record(clock + STEP);
            }
        }

        private void record(long time) {
            enter(time, 1);
            window.record().accept(start + time);
            confirm(time, 1);
        }

        private void recordAndCount(long time) {
            enter(time, 1);
            long count = window.recordAndCount().applyAsLong(start + time);
            confirm(time, 1);
            if (all.length == 1 && count != window.count().applyAsLong(start + time)) {
                wrong = "a record that returned another count than the one that followed";
            }
        }

        private void trim(long time) {
            enter(time, 0);
            window.trim().accept(start + time);
            confirm(time, 0);
        }

        private void enter(long time, int events) {
            most[(int) (time - base)] += events;
            if (time > clock) { // a call of Math.max might throw
                clock = time;
            }
        }

        private void confirm(long time, int events) {
            least[(int) (time - base)] += events;
            if (time > latest) {
                latest = time;
            }
        }
    }

    /** Calls all reads of the window, and begins new accounts; with {@code clear}, of a window with some new events. */
    private void audit(boolean clear, int fill) {
        ErrorCalls.checkAnswers(all);
        long latest = Stream.of(all).mapToLong(calls -> calls.latest).max().orElseThrow();
        long now = Stream.of(all).mapToLong(calls -> calls.clock).max().orElseThrow();
        long[] held = window.toArray().get();
        checkAccount(held, latest, now);
        EventWindow model = EventWindow.of(Duration.ofNanos(mix.interval)); // in which no error is thrown
        for (long nanos : held) {
            model.record(nanos);
        }
        checkReads(model, now);

        if (held.length > 0) {
            // Before any other change: a record in order, and a trim, would evict what an error may have left.
            long late = held[held.length / 2];
            long count = window.recordAndCount().applyAsLong(late);
            check(count == model.record(late), "a record out of order says " + count);
            checkReads(model, now);
        }

        now += STEP;
        window.record().accept(start + now);
        model.record(start + now);
        checkReads(model, now);
        window.trim().accept(start + now);
        checkReads(model, now);

        if (clear) {
            window.clear().run();
            model.clear();
            checkReads(model, now);
        }
        begin(model.toArray(), now);
        all[0].fill(fill);
    }

    /** Begins new accounts of a window that holds these events. */
    private void begin(long[] held, long now) {
        base = now - BACK;
        for (Calls calls : all) {
            calls.begin();
            calls.clock = now;
            calls.latest = now;
        }
        for (long nanos : held) {
            all[0].enter(nanos - start, 1);
            all[0].confirm(nanos - start, 1);
        }
    }

    /** The window may have advanced to any time from {@code latest} to {@code now}; then it holds what counts since. */
    private void checkAccount(long[] held, long latest, long now) {
        long first = Math.max(base, now - mix.interval);
        if (held.length > 0 && held[0] - start < first) {
            first = held[0] - start;
        }
        check(first >= latest - mix.interval, "holds what has expired");
        int next = 0;
        for (long time = first; time <= now; time++) {
            int counts = 0;
            for (; next < held.length && held[next] - start == time; next++) {
                counts++;
            }
            checkCounts(counts, (int) (time - base), all);
        }
        check(next == held.length, "toArray is not sorted at " + next + " of " + held.length);
    }

    /** Checks that the window holds what the model does, and that reads at {@code now} and later agree. */
    private void checkReads(EventWindow model, long now) {
        window.checkInvariants().run();
        check(Arrays.equals(window.toArray().get(), model.toArray()), "not the events that there are");
        for (int eighths = 0; eighths <= 10; eighths++) {
            long then = start + now + (long) mix.interval * eighths / 8;
            long count = window.count().applyAsLong(then);
            check(count == model.count(then), "count says " + count + ", not " + model.count(then));
        }
    }
}
