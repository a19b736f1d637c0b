package io.github.hotpath.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is the first in a {@link WaitingLine}, and who is woken when some leave, or cannot be woken. */
class WaitingLineTest {
    private final WaitingLine line = new WaitingLine(5);

    /** What has been done to waiters, by their numbers. */
    private final List<String> events = new ArrayList<>();

    private final class Numbered extends WaitingLine.Waiter {
        private final int number;
        private Runnable whenWoken = () -> {};
        private Runnable whenFailed = () -> {};
        private boolean isDone;
        private boolean isStranded;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        boolean wake() {
            events.add("wake " + number);
            whenWoken.run();
            return !isDone;
        }

        @Override
        void fail() {
            events.add("fail " + number + " " + requireNonNull(rejection).getMessage());
            whenFailed.run();
        }

        @Override
        boolean isDone() {
            return isDone;
        }

        @Override
        boolean isStranded() {
            return isStranded;
        }
    }

    private List<Numbered> joined(int number) {
        List<Numbered> waiters = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            waiters.add(new Numbered(i));
            line.join(waiters.get(i));
        }
        return waiters;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void leave_inAnyOrder_theOthersStayInOrder(int leaving) {
        List<Numbered> waiters = joined(4);

        line.leave(waiters.remove(leaving));
        line.leave(waiters.remove(1));
        waiters.addAll(joined(1));

        for (Numbered next : waiters) {
            assertThat(line.isFirst(next)).isTrue();
            line.leave(next);
        }
        assertThat(line.isEmpty()).isTrue();
        assertThat(line.size()).isZero();
    }

    @Test
    void end_first_failsOnceWhenTheNextHasBeenWoken() {
        List<Numbered> waiters = joined(2);

        line.end(waiters.get(0), new IllegalStateException("reason"));
        line.end(waiters.get(0), new IllegalStateException("too late"));

        assertThat(events).containsExactly("wake 1", "fail 0 reason");
        assertThat(line.isFirst(waiters.get(1))).isTrue();
    }

    /** All of them, also if one cannot even be failed: that one fails with the next call. */
    @Test
    void wakeFirst_someCannotBeWoken_failInOrderWhenTheNextHasBeenWoken() {
        List<Numbered> waiters = joined(5);
        for (int i = 0; i < 3; i++) {
            String message = "rejection " + i;
            waiters.get(i).whenWoken = () -> {
                throw new IllegalStateException(message);
            };
        }
        waiters.get(1).whenWoken = () -> {
            throw new AssertionError("error of a scheduler");
        };
        AssertionError error = new AssertionError("of a future");
        waiters.get(0).whenFailed = () -> {
            throw error;
        };

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(line::wakeFirst)
                .isSameAs(error);

        assertThat(events)
                .containsExactly(
                        "wake 0",
                        "wake 1",
                        "wake 2",
                        "wake 3",
                        "fail 0 rejection 0",
                        "fail 1 error of a scheduler",
                        "fail 2 rejection 2");
        assertThat(line.isFirst(waiters.get(3))).isTrue();
        assertThat(line.size()).isEqualTo(2);

        events.clear();
        waiters.get(0).whenFailed = () -> {};
        line.wakeStranded();
        line.wakeStranded();
        assertThat(events).containsExactly("wake 3", "fail 0 rejection 0");
    }

    /** The stack or the memory of the thread that wakes is at its end: that is no reason to fail another's request. */
    @Test
    void wakeFirst_errorOfTheJvm_isThrownAndAnotherThreadInLineIsToTryAgain() throws InterruptedException {
        List<Numbered> waiters = joined(2);
        List<Thread> unparked = new ArrayList<>();
        BlockingSimulation parking = BlockingSimulation.still(0);
        parking.whenUnparked = unparked::add;
        line.join(new WaitingLine.ThreadWaiter(parking)); // the one that wakes is no use
        Thread other = new Thread(() -> line.join(new WaitingLine.ThreadWaiter(parking)));
        other.start();
        other.join();
        waiters.get(0).whenWoken = () -> {
            throw new IllegalStateException("rejection"); // it has left by then, and fails all the same
        };
        waiters.get(1).whenWoken = () -> {
            throw new StackOverflowError();
        };

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(line::wakeFirst);

        assertThat(unparked).containsExactly(other);
        assertThat(events).containsExactly("wake 0", "wake 1", "fail 0 rejection");
        assertThat(line.isFirst(waiters.get(1))).isTrue();
        assertThat(line.size()).isEqualTo(3);
    }

    /** It has not left yet: it is neither counted nor in the way. */
    @Test
    void wakeStranded_firstIsDone_theNextIsWoken() {
        List<Numbered> waiters = joined(3);
        waiters.get(0).isDone = true;
        assertThat(line.size()).isEqualTo(2);

        line.wakeStranded();

        assertThat(events).containsExactly("wake 0", "wake 1");
        assertThat(line.isFirst(waiters.get(1))).isTrue();
        assertThat(line.size()).isEqualTo(2);
    }

    @Test
    void wakeStranded_firstIsStranded_isWoken() {
        line.wakeStranded(); // there is none
        List<Numbered> waiters = joined(2);
        waiters.get(1).isStranded = true;
        line.wakeStranded();
        assertThat(events).isEmpty();
        waiters.get(0).isStranded = true;

        line.wakeStranded();

        assertThat(events).containsExactly("wake 0");
    }
}
