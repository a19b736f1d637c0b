package io.github.hotpath.window;

import static io.github.hotpath.window.Windows.FORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.CompactBytes;
import io.github.hotpath.internal.CompactDamage;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows of random calls, written and read again, whole and damaged. */
class CompactFormModelTest {
    private static final long[] INTERVALS = {0, 10, 5_000, 60_000_000_000L, (1L << 62) + 3, Long.MAX_VALUE};

    /** A byte of input is an event at least, and that takes 8 bytes, in a chunk that may be four times too long. */
    private static final long MEMORY_PER_BYTE = 64;

    private static final CompactDamage<EventWindow> DAMAGE =
            new CompactDamage<>(FORM, MEMORY_PER_BYTE, EventWindow::checkInvariants);

    @ParameterizedTest(name = "{0}, interval {1}, from {2}")
    @MethodSource("cases")
    void readFrom_amongAnyCalls_answersAsTheModel(Traffic.Kind kind, long interval, long start) throws IOException {
        SplittableRandom random = Seed.random("read among " + kind + interval + start);
        EventWindow window = Windows.ofNanos(interval);
        NaiveWindow model = new NaiveWindow(interval);
        Traffic traffic = new Traffic(kind, interval, start, random);

        for (int left = kind.isLarge() ? 6_000 : 800; left > 0; left--) {
            if (random.nextInt(1 + model.size() / 8) == 0) {
                window = shiftedThereAndBack(window, random.nextLong());
            }
            Operation call = traffic.next();
            assertThat(call.on(window)).as("%s, %s", call, Seed.hint()).isEqualTo(call.on(model));
        }
    }

    private static EventWindow shiftedThereAndBack(EventWindow window, long shift) throws IOException {
        byte[] bytes = FORM.of(window);
        EventWindow shifted = EventWindow.readFrom(CompactBytes.input(bytes), shift);
        EventWindow back = EventWindow.readFrom(CompactBytes.input(FORM.of(shifted)), -shift);
        shifted.checkInvariants();
        back.checkInvariants();
        assertThat(FORM.of(back)).as(Seed.hint()).isEqualTo(bytes);
        return back;
    }

    static Stream<Arguments> cases() {
        return Stream.of(Traffic.Kind.values())
                .flatMap(kind -> LongStream.of(INTERVALS)
                        .boxed()
                        .flatMap(interval -> LongStream.of(Long.MAX_VALUE - interval, -1)
                                .mapToObj(start -> Arguments.of(kind, interval, start))));
    }

    @ParameterizedTest
    @EnumSource(Traffic.Kind.class)
    void readFrom_damagedAnywhere_failsAsItSaysOrIsAWindow(Traffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("damaged " + kind);
        for (int i = 0; i < 15; i++) {
            DAMAGE.readDamaged(FORM.of(randomWindow(kind, random)));
        }
    }

    @ParameterizedTest
    @EnumSource(Traffic.Kind.class)
    void readFrom_anyBytesBehindAHeader_failsAsItSaysOrIsAWindow(Traffic.Kind kind) throws IOException {
        SplittableRandom random = Seed.random("any bytes " + kind);
        for (int i = 0; i < 400; i++) {
            DAMAGE.readRandom(FORM.of(randomWindow(kind, random)), random);
        }
    }

    private static EventWindow randomWindow(Traffic.Kind kind, SplittableRandom random) {
        long interval = random.nextLong() >>> 1 + random.nextInt(63);
        EventWindow window = Windows.ofNanos(interval);
        Traffic traffic = new Traffic(kind, interval, random.nextLong(), random);
        for (int calls = random.nextInt(60); calls > 0; calls--) {
            traffic.next().on(window);
        }
        return window;
    }

    /** Inputs that reached other code when Jazzer looked for failures, and such that failed. */
    @Test
    void readFrom_corpus_failsAsItSaysOrIsAWindow() throws IOException {
        assertThat(EventWindowFormTarget.TARGET.checkAll(EventWindowFormTarget.CORPUS))
                .isPositive();
    }
}
