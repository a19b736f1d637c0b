package io.github.hotpath.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.hotpath.examples.fleet.Attempts.LimitSet;
import io.github.hotpath.examples.fleet.Attempts.Request;
import io.github.hotpath.limit.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutboxTest {
    private static final LimitSet LIMITS = new LimitSet("limits", List.of(Limit.of(1, Duration.ofSeconds(1))));
    private static final byte[] FORGOTTEN =
            ByteBuffer.allocate(Integer.BYTES).putInt(-1).array();

    /** What was sent, and is answered when the test says so. */
    private final List<Attempts> sent = new ArrayList<>();

    private final List<CompletableFuture<Answer>> answers = new ArrayList<>();

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long nanos = Long.MAX_VALUE - 3 * SECOND; // it overflows

    private final Outbox outbox = new Outbox(
            new Route(List.of(this::receive), 0, Duration.ofSeconds(1), () -> nanos),
            Duration.ofSeconds(10),
            () -> nanos);

    private CompletableFuture<Answer> receive(byte[] attempts, boolean pass) {
        try {
            sent.add(Attempts.of(attempts));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    }

    private Attempt send() {
        Attempt attempt = new Attempt(List.of(new Request(LIMITS, "key", 1)));
        outbox.send(attempt);
        return attempt;
    }

    /** Grants all attempts of a batch. */
    private void grant(int batch) {
        int attempts = sent.get(batch).attempts().size();
        byte[] outcome = ByteBuffer.allocate(Integer.BYTES + Long.BYTES * attempts)
                .putInt(attempts)
                .array();
        answers.get(batch).complete(new Answer(0, outcome));
    }

    /** Says that what became of a batch is not known. */
    private void doNotKnow(int batch) {
        answers.get(batch).complete(new Answer(RaftShare.NO_LEADER, null));
    }

    /** Makes no batch when {@code ended} is true. */
    private static Attempt attempt(AtomicBoolean ended) {
        return new Attempt(new AbstractList<>() {
            @Override
            public Request get(int index) {
                if (ended.get()) {
                    throw new OutOfMemoryError("for a test");
                }
                return new Request(LIMITS, "key", 1);
            }

            @Override
            public int size() {
                return 1;
            }
        });
    }

    @Test
    void send_memoryHasEndedBeforeABatchIsMade_isNotSentLaterByItself() {
        AtomicBoolean ended = new AtomicBoolean();
        Attempt attempt = attempt(ended);
        ended.set(true);
        try (outbox) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> outbox.send(attempt));
            ended.set(false);
            Attempt other = send();
            assertThat(sent.get(0).attempts()).hasSize(1);
            grant(0);
            assertThat(other.delay()).isCompletedWithValue(0L);
            assertThat(attempt.delay()).isNotDone();
            outbox.send(attempt);
            grant(1);
            assertThat(attempt.delay()).isCompletedWithValue(0L);
        }
    }

    @Test
    void send_memoryHasEndedWhenASlotBecomesFree_waitsOn() {
        AtomicBoolean ended = new AtomicBoolean();
        try (outbox) {
            Attempt first = send();
            for (int batch = 1; batch < 4; batch++) {
                send();
            }
            Attempt second = send();
            Attempt third = attempt(ended);
            outbox.send(third);
            assertThat(sent).hasSize(4);
            ended.set(true);
            grant(0);
            ended.set(false);
            assertThat(first.delay()).isCompletedWithValue(0L);
            assertThat(sent).hasSize(4);
            Attempt fourth = send();
            grant(4);

            assertThat(List.of(second, third, fourth))
                    .allSatisfy(attempt -> assertThat(attempt.delay()).isCompletedWithValue(0L));
        }
    }

    @Test
    void send_sessionThatTheFleetDoesNotKnow_isNotContinued() {
        try (outbox) {
            Attempt first = send();
            Attempt second = send();
            answers.get(0).complete(new Answer(0, FORGOTTEN));
            Attempt third = send();
            answers.get(1).complete(new Answer(0, FORGOTTEN)); // of the session that has been left
            Attempt fourth = send();
            grant(2);
            grant(3);

            assertThat(first.delay()).isCompletedExceptionally();
            assertThat(second.delay()).isCompletedExceptionally();
            assertThat(third.delay()).isCompletedWithValue(0L);
            assertThat(fourth.delay()).isCompletedWithValue(0L);
            UUID session = sent.get(2).session();
            assertThat(session).isNotEqualTo(sent.get(0).session());
            assertThat(sent.get(2).number()).isEqualTo(1);
            assertThat(sent.get(2).open()).isEmpty();
            assertThat(sent.get(3).session()).isEqualTo(session);
            assertThat(sent.get(3).open()).containsExactly(1L);
        }
    }

    @Test
    void send_sessionNotUsedForHalfAnHour_isNotContinued() {
        try (outbox) {
            for (long pause : new long[] {0, 1_799, 1_800}) {
                nanos += pause * SECOND;
                send();
                grant(sent.size() - 1);
            }

            assertThat(sent.get(1).session()).isEqualTo(sent.get(0).session());
            assertThat(sent.get(2).session()).isNotEqualTo(sent.get(0).session());
        }
    }

    /** The fleet may have forgotten it. */
    @Test
    void isRepeatable_aMinuteAfterItsTime_isFalse() {
        try (outbox) {
            Attempt attempt = send();
            nanos += 10 * SECOND;
            doNotKnow(0);
            nanos += 60 * SECOND;
            assertThat(outbox.isRepeatable(attempt)).isTrue();
            nanos++;
            assertThat(outbox.isRepeatable(attempt)).isFalse();
        }
    }

    @Test
    void isRepeatable_itsSessionWasForgotten_isFalse() {
        try (outbox) {
            Attempt attempt = send();
            assertThat(outbox.isRepeatable(attempt)).isTrue();
            answers.get(0).complete(new Answer(0, FORGOTTEN));

            assertThat(outbox.isRepeatable(attempt)).isFalse();
            Attempt granted = send();
            grant(1);
            nanos += 3_600 * SECOND;
            assertThat(outbox.isRepeatable(granted)).isTrue(); // its outcome is known
        }
    }

    /** After an hour the fleet would take it for a new one. */
    @Test
    void send_repeatedAgainAndAgain_isSentForHalfAnHour() {
        try (outbox) {
            Attempt attempt = send();
            for (int call = 0; call < 179; call++) {
                nanos += 10 * SECOND;
                doNotKnow(call);
                assertThat(outbox.isRepeatable(attempt)).isTrue();
                outbox.send(attempt);
                assertThat(sent).hasSize(call + 2);
            }
            nanos += 5 * SECOND;
            outbox.send(attempt); // is on its way, and its time is over in 5 seconds, not in 10
            IntStream.range(0, 4).forEach(any -> send());
            assertThat(sent).hasSize(183);
            nanos += 5 * SECOND;
            doNotKnow(179);

            assertThat(sent).hasSize(184);
            assertThat(sent.get(183).open()).contains(1L);
            assertThat(outbox.isRepeatable(attempt)).isFalse();
        }
    }

    /** As if memory had ended when the answers came. */
    @Test
    void send_answersAreLost_doNotStandInTheWayForEver() {
        try (outbox) {
            IntStream.range(0, 4).forEach(any -> send());
            nanos += 10 * SECOND;
            send();
            assertThat(sent).hasSize(4);
            nanos += SECOND;
            send();
            assertThat(sent).hasSize(5);
            assertThat(sent.get(4).attempts()).hasSize(2);
            grant(0); // so it was not lost
            IntStream.range(0, 3).forEach(any -> send());
            assertThat(sent).hasSize(8);
            send();
            assertThat(sent).hasSize(8);
        }
    }

    @Test
    void send_repeatedAfterItsAnswerWasLost_isSent() {
        try (outbox) {
            Attempt attempt = send();
            nanos += 10 * SECOND;
            outbox.send(attempt);
            assertThat(sent).hasSize(1);
            nanos++;
            outbox.send(attempt);
            outbox.send(attempt);
            assertThat(sent).hasSize(2);
            grant(1);
            answers.get(0).complete(new Answer(0, FORGOTTEN)); // the other copy, after its batch was no longer open
            assertThat(attempt.delay()).isCompletedWithValue(0L);
            assertThat(outbox.isRepeatable(attempt)).isTrue();
            send();
            assertThat(sent.get(2).session()).isEqualTo(sent.get(0).session());
        }
    }

    /** The process was stopped in the pause before a batch is sent again. */
    @Test
    void send_timeIsOverWhenItWouldBeSentAgain_isNot() throws Exception {
        BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
        CompletableFuture<Answer> first = new CompletableFuture<>();
        Answer.From member = (attempts, pass) -> {
            try {
                sizes.add(Attempts.of(attempts).attempts().size());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return sizes.size() == 1 ? first : new CompletableFuture<>();
        };
        LongSupplier clock = () -> Thread.currentThread().getName().equals("fleet-timer") ? 10 * SECOND : 0;
        Route route = new Route(List.of(member), 0, Duration.ofSeconds(1), () -> 0);
        try (Outbox pausing = new Outbox(route, Duration.ofSeconds(10), clock)) {
            IntStream.range(0, 6).forEach(any -> pausing.send(new Attempt(List.of(new Request(LIMITS, "key", 1)))));
            assertThat(sizes).containsExactly(1, 1, 1, 1);
            first.complete(new Answer(RaftShare.NO_LEADER, null));
            Fleet.await(() -> sizes.size() == 5, "the next batch");
            assertThat(sizes).containsExactly(1, 1, 1, 1, 2);
        }
    }

    /** An attempt may be long, but a batch and an entry of the log are not much longer. */
    @Test
    void send_longAttempts_travelInSeveralBatches() {
        try (outbox) {
            Request request = new Request(LIMITS, "k".repeat(20_000), 1);
            Attempt longest = new Attempt(Collections.nCopies(15, request));
            IntStream.range(0, 4).forEach(any -> send());
            IntStream.range(0, 50).forEach(any -> outbox.send(new Attempt(List.of(request))));
            outbox.send(longest);
            for (int batch = 0; batch < sent.size(); batch++) {
                grant(batch);
            }

            assertThat(longest.delay()).isCompletedWithValue(0L);
            assertThat(sent).filteredOn(batch -> batch.attempts().size() > 1).hasSizeGreaterThan(10);
            assertThat(sent)
                    .filteredOn(batch -> batch.attempts().size() > 1)
                    .allMatch(batch -> batch.toBytes().length < 1 << 18);
        }
    }

    /** If such a batch counted as on its way for ever, nothing would be sent after four of them. */
    @Test
    void send_answersThatAreNoOutcomes_areAskedAgain() {
        AtomicInteger calls = new AtomicInteger();
        Answer.From broken = (attempts, pass) -> {
            if (calls.incrementAndGet() > 12) {
                return CompletableFuture.completedFuture(new Answer(
                        0, ByteBuffer.allocate(12).putInt(1).putLong(0).array()));
            }
            if (calls.get() % 3 == 0) {
                throw new OutOfMemoryError("planted");
            }
            return CompletableFuture.completedFuture(new Answer(0, new byte[calls.get() % 3]));
        };
        Route route = new Route(List.of(broken), 0, Duration.ofSeconds(1), System::nanoTime);
        try (Outbox asking = new Outbox(route, Duration.ofSeconds(30), System::nanoTime)) {
            for (int i = 0; i < 5; i++) {
                Attempt attempt = new Attempt(List.of(new Request(LIMITS, "key", 1)));
                asking.send(attempt);
                assertThat(attempt.delay())
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isEqualTo(0L);
            }
        }
    }

    @Test
    void send_fourOnTheirWay_othersTravelTogether() {
        try (outbox) {
            List<Attempt> attempts =
                    IntStream.range(0, 7).mapToObj(any -> send()).toList();
            assertThat(sent).hasSize(4).allMatch(batch -> batch.attempts().size() == 1);

            grant(2);

            assertThat(attempts.get(2).delay()).isCompletedWithValue(0L);
            assertThat(sent).hasSize(5);
            assertThat(sent.get(4).attempts()).hasSize(3);
            assertThat(sent.get(4).open()).containsExactly(1L, 2L, 4L);
        }
    }
}
