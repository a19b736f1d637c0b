package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EntriesTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /** The entries that were added, by the first byte of each batch, and when they are in the log. */
    private final List<List<Byte>> added = new ArrayList<>();

    private final List<CompletableFuture<byte[]>> inTheLog = new ArrayList<>();
    private long now;
    private final Entries entries = new Entries(this::append, () -> now, HOUR);

    @AfterEach
    void close() {
        entries.close();
    }

    private CompletableFuture<byte[]> append(List<byte[]> batches) {
        added.add(batches.stream().map(batch -> batch[0]).toList());
        inTheLog.add(new CompletableFuture<>());
        return inTheLog.get(inTheLog.size() - 1);
    }

    private CompletableFuture<byte[]> add(int batch) {
        return entries.add(new byte[] {(byte) batch});
    }

    /** The outcome of a batch has as many delays as its number. */
    private void answer(int entry) {
        int length = added.get(entry).stream()
                .mapToInt(batch -> Integer.BYTES + Long.BYTES * batch)
                .sum();
        ByteBuffer outcomes = ByteBuffer.allocate(length);
        for (byte batch : added.get(entry)) {
            outcomes.putInt(batch);
            IntStream.range(0, batch).forEach(i -> outcomes.putLong(batch));
        }
        inTheLog.get(entry).complete(outcomes.array());
    }

    @Test
    void add_whileAnEntryIsOnItsWay_nextOneTakesAllAndEachGetsItsOutcome() {
        CompletableFuture<byte[]> first = add(1);
        CompletableFuture<byte[]> second = add(2);
        CompletableFuture<byte[]> third = add(0);
        assertThat(added).containsExactly(List.of((byte) 1));

        answer(0);
        assertThat(first.join()).hasSize(12);
        assertThat(second).isNotDone();
        assertThat(added).hasSize(2).last().isEqualTo(List.of((byte) 2, (byte) 0));

        answer(1);
        assertThat(ByteBuffer.wrap(second.join()).getLong(4)).isEqualTo(2);
        assertThat(second.join()).hasSize(20);
        assertThat(third.join()).hasSize(4);
    }

    /** A full one does not wait. The last batch does, for those that the last entry has answered. */
    @Test
    void add_longBatches_areInSeveralEntries() {
        add(0);
        for (int batch = 1; batch <= 9; batch++) {
            byte[] bytes = new byte[batch == 8 ? 2 << 20 : 300_000];
            bytes[0] = (byte) batch;
            entries.add(bytes);
        }
        for (int entry = 0; entry < added.size(); entry++) {
            answer(entry);
            now += HOUR;
        }

        assertThat(added)
                .containsExactly(
                        List.of((byte) 0),
                        List.of((byte) 1, (byte) 2, (byte) 3),
                        List.of((byte) 4, (byte) 5, (byte) 6),
                        List.of((byte) 7),
                        List.of((byte) 8));
    }

    @Test
    void isOverdue_entryWithoutAnswer_isUntilItsAnswer() {
        assertThat(entries.isOverdue(0)).isFalse();
        now += HOUR;
        add(1);
        now += 5;
        assertThat(entries.isOverdue(5)).isFalse();
        assertThat(entries.isOverdue(4)).isTrue();
        answer(0);
        assertThat(entries.isOverdue(4)).isFalse();
    }

    /** As if the log hung: those who wait send again, so there would be ever more. */
    @Test
    void add_tooManyWait_fails() {
        add(1);
        for (int batch = 0; batch < 10_000; batch++) {
            assertThat(add(1)).isNotDone();
        }
        assertThat(add(1)).isCompletedExceptionally();
    }

    @Test
    void add_tooManyBytesWait_fails() {
        add(1);
        for (int batch = 0; batch <= 32; batch++) {
            assertThat(entries.add(new byte[1 << 20])).isNotDone();
        }
        assertThat(entries.add(new byte[1 << 20])).isCompletedExceptionally();
        answer(0);
        assertThat(entries.add(new byte[1 << 20])).isNotDone();
    }

    /** Two were answered, and one came meanwhile, so three are expected. */
    @Test
    void add_fewerThanTheLastEntryAnsweredAndLeft_waitForTheOthersOrUntilTheTimeIsOver() {
        add(0);
        add(1);
        add(2);
        answer(0);
        add(3);
        now += 2 * HOUR;
        answer(1);
        add(4);
        assertThat(added).hasSize(2);
        add(5);
        assertThat(added).hasSize(3).last().isEqualTo(List.of((byte) 3, (byte) 4, (byte) 5));

        now += 2 * HOUR;
        answer(2);
        now += HOUR - 1;
        add(6);
        assertThat(added).hasSize(3);
        now++;
        add(7);
        assertThat(added).hasSize(4).last().isEqualTo(List.of((byte) 6, (byte) 7));
    }

    /** By the timer, again and again. */
    @Test
    void add_fewerThanExpectedAndNobodyComes_areSent() throws Exception {
        BlockingQueue<CompletableFuture<byte[]>> sent = new LinkedBlockingQueue<>();
        try (Entries timed = new Entries(batches -> {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
        })) {
            timed.add(new byte[1]);
            for (int entry = 0; entry < 3; entry++) {
                CompletableFuture<byte[]> onTheWay = sent.poll(30, TimeUnit.SECONDS);
                assertThat(onTheWay).as("entry " + entry).isNotNull();
                timed.add(new byte[1]);
                onTheWay.complete(new byte[4]); // two are expected
            }
            assertThat(sent.poll(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void add_thousands_entriesAreBoundedAndInOrder() {
        add(0);
        List<CompletableFuture<byte[]>> outcomes =
                IntStream.range(0, 2_500).mapToObj(i -> add(i % 100)).toList();
        for (int entry = 0; entry < 4; entry++) {
            answer(entry);
        }

        assertThat(added.stream().map(List::size)).containsExactly(1, 1_000, 1_000, 500);
        for (int i = 0; i < outcomes.size(); i++) {
            assertThat(outcomes.get(i).join()).hasSize(Integer.BYTES + Long.BYTES * (i % 100));
        }
    }

    @Test
    void add_entryFails_itsBatchesFailAndTheNextOneIsSent() {
        CompletableFuture<byte[]> first = add(1);
        CompletableFuture<byte[]> second = add(2);
        inTheLog.get(0).completeExceptionally(new IOException("lost"));
        assertThat(first).isCompletedExceptionally();
        answer(1);
        assertThat(second).isCompleted();
    }

    @Test
    void add_logThrows_batchFailsAndTheNextOneIsSent() {
        List<List<byte[]>> sent = new ArrayList<>();
        try (Entries failing = new Entries(batches -> {
            sent.add(batches);
            if (sent.size() == 1) {
                throw new OutOfMemoryError("planted");
            }
            return CompletableFuture.completedFuture(new byte[4]);
        })) {
            assertThat(failing.add(new byte[1])).isCompletedExceptionally();
            assertThat(failing.add(new byte[1])).isCompleted();
        }
    }

    @Test
    void add_outcomesTooShort_fails() {
        CompletableFuture<byte[]> outcome = add(1);
        inTheLog.get(0).complete(new byte[2]);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(outcome::get)
                .withCauseInstanceOf(IOException.class);
    }

    @Test
    void close_waitingAndLaterBatchesFail() {
        CompletableFuture<byte[]> onTheWay = add(1);
        CompletableFuture<byte[]> waiting = add(2);
        entries.close();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(add(3)).isCompletedExceptionally();
        answer(0);
        assertThat(onTheWay).isCompleted();
        assertThat(added).hasSize(1);
    }
}
