package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class BatchesTest {
    private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
    private final Semaphore answers = new Semaphore(0);
    private final Batches<String> batches = new Batches<>("test", String::length, batch -> {
        sent.add(batch);
        answers.acquireUninterruptibly();
    });

    @AfterEach
    void end() {
        batches.end();
        answers.release(10); // what is being sent ends, too
    }

    @Test
    void add_whileABatchIsOnItsWay_isInTheNextOne() throws InterruptedException {
        batches.add("a");
        assertThat(sent.take()).containsExactly("a");
        List.of("b", "c", "d").forEach(batches::add);
        batches.remove("c");
        assertThat(sent).isEmpty();
        answers.release();

        assertThat(sent.take()).containsExactly("b", "d");
        answers.release();
        batches.add("e"); // alone, though two were answered
        assertThat(sent.take()).containsExactly("e");
    }

    @Test
    void add_moreThanABatchHasRoomFor_areSeveral() throws InterruptedException {
        batches.add("a");
        sent.take();
        String half = "x".repeat(1 << 17);
        List.of(half, half, "b", half + half + "x", "c").forEach(batches::add);
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            many.add("" + i);
        }
        many.forEach(batches::add);
        answers.release(10);

        assertThat(sent.take()).containsExactly(half, half);
        assertThat(sent.take()).containsExactly("b");
        assertThat(sent.take()).containsExactly(half + half + "x"); // too long for any
        List<String> next = sent.take();
        assertThat(next).hasSize(1_000).startsWith("c", "0");
        assertThat(sent.take()).isEqualTo(many.subList(999, 1_500));
    }

    /** As if no thread can be started: the next batch is sent all the same. */
    @Test
    void add_theOneBeforeHasFailed_isSent() throws InterruptedException {
        BlockingQueue<List<String>> attempts = new LinkedBlockingQueue<>();
        Batches<String> failing = new Batches<>("test", String::length, batch -> {
            attempts.add(batch);
            throw new OutOfMemoryError("planted");
        });
        failing.add("a");
        assertThat(attempts.take()).containsExactly("a");
        failing.add("b");

        assertThat(attempts.take()).containsExactly("b");
        failing.end();
    }

    @Test
    void end_someWait_returnsThemAndTakesNoMore() throws InterruptedException {
        batches.add("a");
        sent.take();
        batches.add("b");

        assertThat(batches.end()).containsExactly("b");
        assertThat(batches.add("c")).isFalse();
        assertThat(batches.end()).isEmpty();
    }
}
