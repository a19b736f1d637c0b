package io.github.hotpath.examples.recipes;

import static java.util.logging.Level.FINE;
import static java.util.logging.Level.INFO;
import static java.util.logging.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.testing.FakeTicker;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LimitingHandlerTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final FakeTicker ticker = new FakeTicker();
    private final Target target = new Target();
    private final LimitingHandler handler = new LimitingHandler(target, 2, INTERVAL, ticker::read);

    @Test
    void publish_overTheLimit_heldBackAndToldWithTheNext() {
        log(5, "a", INFO, "hot");
        assertThat(target.lines).containsExactly("a INFO hot", "a INFO hot");

        ticker.advance(INTERVAL);
        log(1, "a", INFO, "hot");
        ticker.advance(1);
        log(2, "a", INFO, "hot");

        assertThat(target.lines)
                .containsExactly("a INFO hot", "a INFO hot", "a INFO 4 held back of: hot", "a INFO hot", "a INFO hot");
    }

    @Test
    void publish_otherKinds_haveTheirOwnLimit() {
        log(2, "a", INFO, "hot");

        log(1, "a", INFO, "cold");
        log(1, "a", WARNING, "hot");
        log(1, "b", INFO, "hot");
        log(1, null, INFO, null);

        assertThat(target.lines)
                .containsExactly(
                        "a INFO hot", "a INFO hot", "a INFO cold", "a WARNING hot", "b INFO hot", "null INFO null");
    }

    @Test
    void publish_otherParameters_sameKind() {
        for (int i = 0; i < 3; i++) {
            LogRecord line = new LogRecord(INFO, "host {0}");
            line.setParameters(new Object[] {i});
            handler.publish(line);
        }

        assertThat(target.lines).hasSize(2);
    }

    /** As from {@code logger.info("user " + id)}: without a bound each passes, and its limiter is retained for ever. */
    @Test
    void publish_tooManyKinds_restSharesALimitForEachLevel() {
        for (int i = 0; i < 2 * LimitingHandler.MOST_KINDS; i++) {
            log(1, "a", INFO, "user " + i);
        }
        assertThat(target.lines).hasSize(LimitingHandler.MOST_KINDS + 2);
        target.lines.clear();

        log(3, "a", INFO, "user 0"); // one has passed before
        log(3, "b", WARNING, "disk full");
        handler.flush();

        assertThat(target.lines)
                .containsExactlyInAnyOrder(
                        "a INFO user 0",
                        "b WARNING disk full",
                        "b WARNING disk full",
                        "a INFO 2 held back of: user 0",
                        "null WARNING 1 held back of: messages of too many kinds",
                        "null INFO 998 held back of: messages of too many kinds");
    }

    @Test
    void publish_belowTheHandlersLevel_notCounted() {
        handler.setLevel(INFO);

        log(5, "a", FINE, "quiet");
        handler.flush();

        assertThat(target.lines).isEmpty();
    }

    @Test
    void flush_heldBack_toldOnce() {
        log(5, "a", INFO, "hot");
        log(1, "a", INFO, "cold");

        handler.flush();
        handler.flush();

        assertThat(target.lines)
                .containsExactly("a INFO hot", "a INFO hot", "a INFO cold", "a INFO 3 held back of: hot");
        assertThat(target.flushed).isEqualTo(2);
    }

    @Test
    void close_heldBack_toldBeforeTheTargetCloses() {
        log(3, "a", INFO, "hot");

        handler.close();

        assertThat(target.lines).endsWith("a INFO 1 held back of: hot", "closed");
    }

    @Test
    void publish_manyThreads_everyLinePassedOrTold() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<Void> logging = () -> {
            for (int i = 0; i < 5000; i++) {
                ticker.advance(INTERVAL.dividedBy(100));
                log(1, "a", INFO, "hot");
            }
            return null;
        };
        for (Future<Void> each : threads.invokeAll(Collections.nCopies(4, logging))) {
            each.get();
        }
        threads.shutdown();
        handler.flush();

        long passed = target.lines.stream().filter("a INFO hot"::equals).count();
        long told = target.lines.stream()
                .filter(line -> line.contains(" held back of: "))
                .mapToLong(line -> Long.parseLong(line.split(" ")[2]))
                .sum();
        assertThat(passed + told).isEqualTo(20_000);
        assertThat(passed).isBetween(2L, 2L * 200 + 2);
    }

    private void log(int times, String logger, Level level, String message) {
        for (int i = 0; i < times; i++) {
            LogRecord line = new LogRecord(level, message);
            line.setLoggerName(logger);
            handler.publish(line);
        }
    }

    /** Keeps the records published. */
    private static final class Target extends Handler {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private int flushed;

        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLoggerName() + " " + line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {
            flushed++;
        }

        @Override
        public void close() {
            lines.add("closed");
        }
    }
}
