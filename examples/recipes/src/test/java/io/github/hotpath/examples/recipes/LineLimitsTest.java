package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.hotpath.examples.recipes.LineLimits.Kind;
import io.github.hotpath.limit.Limit;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.logging.log4j.core.config.DefaultConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two lines of a kind a minute, alone and in the filters of Logback and Log4j. */
class LineLimitsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Limit TWO = Limit.of(2, MINUTE);
    private static final Kind HOT = new Kind("a", "INFO", "hot");

    private final FakeClock clock = new FakeClock();
    private final LineLimits limits = new LineLimits(TWO, clock);

    @Test
    void pass_overTheLimit_heldBackAndToldWithTheNext() {
        assertThat(IntStream.range(0, 5).mapToLong(i -> limits.pass(HOT))).containsExactly(0L, 0L, -1L, -1L, -1L);
        clock.advance(MINUTE);
        assertThat(limits.pass(HOT)).isEqualTo(LineLimits.HELD_BACK);
        clock.advance(Duration.ofNanos(1));

        assertThat(limits.pass(HOT)).isEqualTo(4);
        assertThat(limits.pass(HOT)).isZero();
    }

    @Test
    void pass_otherKinds_haveTheirOwnLimit() {
        IntStream.range(0, 3).forEach(i -> limits.pass(HOT));

        assertThat(List.of(
                        new Kind("a", "INFO", "cold"),
                        new Kind("a", "WARN", "hot"),
                        new Kind("b", "INFO", "hot"),
                        new Kind("a", "INFO", null)))
                .allMatch(kind -> limits.pass(kind) == 0);
    }

    /** As of text that was put together before: without a bound each passes, and its limiter is retained for ever. */
    @Test
    void pass_tooManyKinds_theRestSharesALimit() {
        long passed = IntStream.range(0, 2 * LineLimits.MOST_KINDS)
                .filter(i -> limits.pass(new Kind("a", "INFO", "user " + i)) != LineLimits.HELD_BACK)
                .count();

        assertThat(passed).isEqualTo(LineLimits.MOST_KINDS + 2);
        assertThat(limits.pass(new Kind("a", "INFO", "user 0"))).isZero(); // its second
    }

    @Test
    void pass_manyThreads_everyLinePassedOrTold() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<long[]> logging = () -> {
            long[] passedAndTold = new long[2];
            for (int i = 0; i < 5000; i++) {
                clock.advance(MINUTE.dividedBy(100));
                long heldBack = limits.pass(HOT);
                passedAndTold[0] += heldBack == LineLimits.HELD_BACK ? 0 : 1;
                passedAndTold[1] += Math.max(heldBack, 0);
            }
            return passedAndTold;
        };
        long sum = 0;
        for (Future<long[]> each : threads.invokeAll(Collections.nCopies(4, logging))) {
            sum += each.get()[0] + each.get()[1];
        }
        threads.shutdown();
        clock.advance(MINUTE.multipliedBy(2));

        assertThat(sum + limits.pass(HOT)).isEqualTo(20_000);
    }

    @Nested
    class Logback {
        private final LoggerContext context = new LoggerContext();
        private final Logger logger = context.getLogger("a");
        private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

        @BeforeEach
        void configure() {
            LimitingTurboFilter filter = new LimitingTurboFilter(clock);
            filter.setLinesPerMinute(2);
            filter.start();
            context.addTurboFilter(filter);
            logger.setLevel(Level.INFO);
            logger.addAppender(appender);
            appender.start();
        }

        @AfterEach
        void stop() {
            context.stop();
        }

        @Test
        void log_overTheLimit_heldBackAndToldBeforeTheNext() {
            IntStream.range(0, 5).forEach(i -> logger.info("user {}", i));
            clock.advance(MINUTE.plusNanos(1));
            logger.info("user {}", 5);

            assertThat(appender.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("user 0", "user 1", "3 lines held back of: user {}", "user 5");
            assertThat(appender.list).allMatch(line -> line.getLevel() == Level.INFO);
        }

        @Test
        void log_levelIsOffOrOnlyAsked_notCounted() {
            IntStream.range(0, 5).forEach(i -> logger.debug("quiet"));
            assertThat(IntStream.range(0, 5).allMatch(i -> logger.isInfoEnabled()))
                    .isTrue();
            logger.setLevel(Level.DEBUG);

            logger.debug("quiet");

            assertThat(appender.list).hasSize(1);
        }
    }

    @Nested
    class Log4j {
        private final org.apache.logging.log4j.core.LoggerContext context =
                new org.apache.logging.log4j.core.LoggerContext("test");
        private final org.apache.logging.log4j.core.Logger logger = context.getLogger("a");

        @BeforeEach
        void configure() {
            context.start(new DefaultConfiguration());
            context.getConfiguration().addFilter(new LimitingLog4jFilter(TWO, clock));
            context.updateLoggers();
        }

        @AfterEach
        void stop() {
            context.stop();
        }

        @Test
        void log_overTheLimit_denied() {
            assertThat(IntStream.range(0, 5).mapToObj(i -> isLogged("user {}", i)))
                    .containsExactly(true, true, false, false, false);
            assertThat(isLogged("host {}", 1)).isTrue();
            clock.advance(MINUTE.plusNanos(1));
            assertThat(isLogged("user {}", 5)).isTrue();
        }

        @Test
        void log_levelIsOff_notCounted() {
            logger.setLevel(org.apache.logging.log4j.Level.OFF);
            IntStream.range(0, 5).forEach(i -> isLogged("user {}", i));
            logger.setLevel(org.apache.logging.log4j.Level.ERROR);

            assertThat(isLogged("user {}", 5)).isTrue();
        }

        /** Log4j asks another method then. */
        @Test
        void log_withException_denied() {
            assertThat(IntStream.range(0, 3)
                            .mapToObj(i -> logger.isEnabled(
                                    org.apache.logging.log4j.Level.ERROR, null, "broken", new Exception())))
                    .containsExactly(true, true, false);
            assertThat(logger.isErrorEnabled()).isTrue();
        }

        /** Log4j asks as for a line without a text. */
        @Test
        void isEnabled_often_notCounted() {
            logger.setLevel(org.apache.logging.log4j.Level.DEBUG);
            for (int i = 0; i < 5; i++) {
                assertThat(logger.isDebugEnabled()).isTrue();
                assertThat(logger.isErrorEnabled()).isTrue();
            }
        }

        /** What the logger asks first when it is to log a line. */
        private boolean isLogged(String format, int argument) {
            return logger.isEnabled(org.apache.logging.log4j.Level.ERROR, null, format, argument);
        }
    }
}
