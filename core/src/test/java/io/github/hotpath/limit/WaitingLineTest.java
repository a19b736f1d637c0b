package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who is the first in a {@link WaitingLine}, and who is woken, when those that wait leave in any order. */
class WaitingLineTest {
    private final WaitingLine line = new WaitingLine();

    /** What has been done to waiters, by their numbers. */
    private final List<String> events = new ArrayList<>();

    private final class Numbered extends Waiter {
        private final int number;
        private boolean canWake = true;
        private boolean isDead;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        boolean wake() {
            events.add("wake " + number);
            return canWake;
        }

        @Override
        void fail() {
            events.add("fail " + number);
        }

        @Override
        boolean isDead() {
            return isDead;
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

    static Stream<Arguments> orders() {
        return Stream.iterate(0, i -> i < 64, i -> i + 1)
                .map(i -> List.of(i / 16, i / 4 % 4, i % 4))
                .filter(order -> order.stream().distinct().count() == 3)
                .map(Arguments::of);
    }

    /** Three of four leave, and a fifth one joins after the second has left. */
    @ParameterizedTest
    @MethodSource("orders")
    void leave_inAnyOrder_theOthersStayInOrder(List<Integer> order) {
        List<Numbered> waiters = joined(4);
        List<Numbered> expected = new ArrayList<>(waiters);
        for (int left = 0; left < 3; left++) {
            if (left == 2) {
                Numbered fifth = new Numbered(4);
                line.join(fifth);
                expected.add(fifth);
            }
            Numbered leaving = waiters.get(order.get(left));
            boolean isFirst = expected.get(0) == leaving;
            expected.remove(leaving);
            events.clear();

            line.leave(leaving);
            line.leave(leaving); // once more: nothing

            assertThat(events).isEqualTo(isFirst ? List.of("wake " + expected.get(0).number) : List.of());
            assertThat(line.size()).isEqualTo(expected.size());
            assertThat(leaving.isInLine).isFalse();
            assertThat(leaving.before).isNull();
            assertThat(leaving.behind).isNull();
        }
        for (Numbered next : expected) {
            assertThat(line.isFirst(next)).isTrue();
            line.leave(next);
        }
        assertThat(line.isEmpty()).isTrue();
        assertThat(line.size()).isZero();
    }

    @Test
    void wakeFirst_someCannotBeWoken_failWhenTheNextHasBeenWoken() {
        List<Numbered> waiters = joined(4);
        waiters.get(0).canWake = false;
        waiters.get(1).canWake = false;

        line.wakeFirst();

        assertThat(events).hasSize(5).startsWith("wake 0", "wake 1", "wake 2").contains("fail 0", "fail 1");
        assertThat(line.isFirst(waiters.get(2))).isTrue();
        assertThat(line.size()).isEqualTo(2);
    }

    @Test
    void removeDead_firstIsDead_isWokenInVain() {
        line.removeDead(); // there is none
        List<Numbered> waiters = joined(2);
        line.removeDead();
        assertThat(events).isEmpty();
        waiters.get(0).canWake = false;
        waiters.get(0).isDead = true;

        line.removeDead();

        assertThat(events).containsExactly("wake 0", "wake 1", "fail 0");
        assertThat(line.size()).isEqualTo(1);
    }
}
