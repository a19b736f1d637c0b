package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two lines of a kind a minute. */
class LimitingTurboFilterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Pattern REPORT = Pattern.compile("(\\d+) lines held back of: .*");

    private final FakeClock clock = new FakeClock();
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("a");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    @BeforeEach
    void configure() {
        LimitingTurboFilter filter = new LimitingTurboFilter(clock);
        filter.setContext(context);
        filter.setLinesPerMinute(2);
        filter.start();
        context.addTurboFilter(filter);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        logger.setLevel(Level.INFO);
        appender.setContext(context);
        appender.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void log_overTheLimit_heldBackAndToldBeforeTheNext() {
        log(5, i -> logger.info("user {}", i));
        clock.advance(MINUTE);
        logger.info("user {}", 5);
        clock.advance(Duration.ofNanos(1));
        logger.info("user {}", 6);
        logger.info("user {}", 7);

        assertThat(lines()).containsExactly("user 0", "user 1", "4 lines held back of: user {}", "user 6", "user 7");
        assertThat(appender.list).allMatch(line -> line.getLevel() == Level.INFO);
    }

    /** Before Logback 1.5.21 the filter was asked for the level alone. */
    @Test
    void log_fluentApi_heldBackToo() {
        log(5, i -> logger.atInfo().log("user {}", i));
        log(5, i -> logger.atInfo().setMessage("host {}").addArgument(i).log());

        assertThat(lines()).containsExactly("user 0", "user 1", "host 0", "host 1");
    }

    /** As of {@code log.error(e.getMessage(), e)}: most exceptions of the JDK that a program causes have none. */
    @Test
    void log_noMessage_theClassOfTheExceptionIsTheKind() {
        log(5, i -> logger.error(null, new NullPointerException()));
        log(5, i -> logger.atError().setCause(new IllegalStateException()).log());
        log(5, i -> logger.error(null, i, i));
        clock.advance(MINUTE.plusNanos(1));
        logger.error(null, new NullPointerException());

        assertThat(lines()).hasSize(8).contains("3 lines held back of: java.lang.NullPointerException", atIndex(6));
    }

    @Test
    void log_otherKinds_haveTheirOwnLimit() {
        log(3, i -> logger.info("hot"));

        logger.info("cold");
        logger.warn("hot");
        context.getLogger("b").info("hot");

        assertThat(lines()).containsExactly("hot", "hot", "cold", "hot", "hot");
    }

    @Test
    void log_levelIsOffOrOnlyAsked_notCounted() {
        log(5, i -> logger.debug("quiet"));
        assertThat(IntStream.range(0, 5).allMatch(i -> logger.isInfoEnabled())).isTrue();
        logger.setLevel(Level.DEBUG);

        logger.debug("quiet");

        assertThat(lines()).containsExactly("quiet");
    }

    /** As of text that was put together before: without a bound each passes, and its limiter is retained for ever. */
    @Test
    void log_tooManyKinds_theRestSharesALimit() {
        log(2 * LimitingTurboFilter.MOST_KINDS, i -> logger.info("user " + i));
        assertThat(lines()).hasSize(LimitingTurboFilter.MOST_KINDS + 2);

        logger.info("user 0"); // its second
        context.stop();

        assertThat(lines())
                .hasSize(LimitingTurboFilter.MOST_KINDS + 4)
                .endsWith("user 0", "998 lines held back of: other kinds");
    }

    /** They would be retained for ever, each as a kind. */
    @Test
    void log_longTexts_shareALimit() {
        log(20, i -> logger.info("x".repeat(LimitingTurboFilter.LONGEST_KIND + i)));
        assertThat(lines()).hasSize(3); // one is just short enough
    }

    /** Otherwise nobody would learn of the last burst before the end. */
    @Test
    void stop_heldBackSinceTheLastLine_toldBeforeTheAppendersStop() {
        log(992, i -> logger.warn("user {}", i));

        context.stop();

        assertThat(lines()).containsExactly("user 0", "user 1", "990 lines held back of: user {}");
        assertThat(appender.list).allMatch(line -> line.getLevel() == Level.WARN);
    }

    @Test
    void log_manyThreads_everyLinePassedOrTold() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<Void> logging = () -> {
            log(5000, i -> {
                clock.advance(MINUTE.dividedBy(100));
                logger.info("hot");
            });
            return null;
        };
        for (Future<Void> each : threads.invokeAll(Collections.nCopies(4, logging))) {
            each.get();
        }
        threads.shutdown();

        context.stop();

        assertThat(lines().stream().mapToInt(LimitingTurboFilterTest::linesIn).sum())
                .isEqualTo(20_000);
    }

    private static int linesIn(String line) {
        Matcher report = REPORT.matcher(line);
        return report.matches() ? Integer.parseInt(report.group(1)) : 1;
    }

    private static void log(int times, IntConsumer line) {
        IntStream.range(0, times).forEach(line);
    }

    private List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
