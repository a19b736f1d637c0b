package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.BoundedEventWindow;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The first calls in a JVM, near the end of a stack. A class whose initializer fails there can never be used again, so
 * none is initialized by a call that can also be made without it.
 */
class FirstUseTest {
    private static final int PROGRAMS = 60;

    /** Makes calls, each of which may be the first one; returns what the call of a number has thrown. */
    public static final class Calls implements IntFunction<Throwable> {
        private final List<Runnable> calls = new ArrayList<>();

        /** Makes what is called. */
        public Calls() {
            SlidingWindowLimiter limiter =
                    SlidingWindowLimiter.of(Limit.of(9, Duration.ofNanos(10)), Limit.ofCalls(9, Duration.ofNanos(10)));
            KeyedLimiter<String> keyed = KeyedLimiter.of(key -> List.of(Limit.of(9, Duration.ofNanos(10))));
            EventWindow window = EventWindow.of(Duration.ofNanos(10));
            ConcurrentEventWindow concurrent = ConcurrentEventWindow.of(Duration.ofNanos(10));
            BoundedEventWindow bounded = BoundedEventWindow.of(Duration.ofNanos(10), 0.1);
            BlockingLimiter blocking = BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(9, Duration.ofNanos(10))));
            Path here = Path.of(".");
            for (Limiter each : List.of(limiter, keyed.forKey("a"), Limiter.allOf(limiter, keyed.forKey("b")))) {
                calls.add(() -> each.tryAcquire(0, 1));
                calls.add(() -> each.tryAcquireOrDelay(0, 10));
                calls.add(() -> each.reserve(0, 1, Duration.ofNanos(5)).cancel());
                calls.add(() -> each.decide(0, 1));
                calls.add(() -> each.peek(0, 1));
                calls.add(() -> each.available(0));
                calls.add(() -> each.record(0, 1));
                calls.add(() -> each.closeFor(0, Duration.ofNanos(1)));
                calls.add(each::toString);
            }
            calls.add(() -> limiter.isIdle(0));
            calls.add(() -> limiter.setLimits(Limit.of(9, Duration.ofNanos(20))));
            calls.add(limiter::clear);
            calls.add(() -> keyed.evictIdle(100));
            calls.add(() -> keyed.updateLimits("a"));
            calls.add(keyed::clear);
            calls.add(() -> {
                try {
                    keyed.writeTo(new DataOutputStream(new ByteArrayOutputStream()), (key, out) -> out.writeUTF(key));
                    limiter.writeTo(new DataOutputStream(new ByteArrayOutputStream()));
                    Dirs.ensure(here);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            calls.add(() -> {
                try {
                    blocking.tryAcquire(1, Duration.ZERO);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            calls.add(() -> window.record(0));
            calls.add(() -> window.count(0));
            calls.add(() -> concurrent.record(0));
            calls.add(() -> concurrent.count(0));
            calls.add(() -> bounded.record(0));
            calls.add(() -> bounded.countAtMost(0));
        }

        @Override
        public Throwable apply(int call) {
            try {
                calls.get(call % calls.size()).run();
                return null;
            } catch (Throwable e) {
                return e;
            }
        }

        @Override
        public String toString() {
            return String.valueOf(calls.size());
        }
    }

    private final List<IntFunction<Throwable>> programs = new ArrayList<>();
    private int calls;
    private int next;
    private int overflows;

    @Test
    void calls_nearTheEndOfAStack_canBeMadeLater() throws Exception {
        newProgram(); // what the JDK has to initialize
        calls = Integer.parseInt(programs.get(0).toString());
        IntStream.range(0, calls).forEach(programs.get(0)::apply);
        programs.clear();
        while (programs.size() < PROGRAMS) {
            newProgram();
        }

        Thread diver = new Thread(null, this::dive, "diver", 256 << 10);
        diver.start();
        diver.join();

        assertThat(overflows).isGreaterThan(PROGRAMS);
        assertThat(next).isEqualTo(PROGRAMS);
        Set<String> failures = new TreeSet<>();
        for (IntFunction<Throwable> program : programs) {
            for (int call = 0; call < calls; call++) {
                Throwable thrown = program.apply(call);
                if (thrown != null) {
                    failures.add("call " + call + ": " + thrown);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /** Recurses to the end, and makes all calls of a program in each frame on the way back. */
    private void dive() {
        try {
            dive();
        } catch (StackOverflowError end) {
            return;
        }
        if (next < programs.size()) {
            IntFunction<Throwable> program = programs.get(next);
            boolean isMade = false;
            for (int call = 0; call < calls; call++) {
                try {
                    Throwable thrown = program.apply(call + next);
                    overflows += thrown == null ? 0 : 1;
                    isMade |= thrown == null;
                } catch (StackOverflowError e) {
                    overflows++;
                }
            }
            next += isMade ? 1 : 0;
        }
    }

    /** Adds a program whose classes have not been used. */
    @SuppressWarnings("unchecked") // the class is loaded anew, and so found by its name
    private void newProgram() throws Exception {
        List<URL> places = new ArrayList<>();
        for (Class<?> type : List.of(Limiter.class, Calls.class)) {
            places.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        @SuppressWarnings("resource") // its classes are used for as long as the test runs
        ClassLoader loader = new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        programs.add((IntFunction<Throwable>)
                loader.loadClass(Calls.class.getName()).getConstructor().newInstance());
    }
}
