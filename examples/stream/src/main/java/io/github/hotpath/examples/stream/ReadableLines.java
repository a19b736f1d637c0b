package io.github.hotpath.examples.stream;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the events of lines on. Lines without one are counted, in the metric {@value #METRIC}, and the first are
 * logged; or they make the job fail. As it is part of each job, it also keeps the {@link Settings} of the job.
 */
final class ReadableLines extends RichFlatMapFunction<Line, Event> implements CheckpointedFunction {
    /** The name of the metric. */
    static final String METRIC = "numUnreadableLines";

    private static final long serialVersionUID = 1;
    private static final int LOGGED = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ReadableLines.class);

    private final boolean strict;
    private final TreeMap<String, String> settings;
    private transient Counter unreadable;

    /**
     * Makes a function.
     *
     * @param strict whether a line without an event makes the job fail
     * @param settings of the job, by their names
     */
    ReadableLines(boolean strict, Map<String, String> settings) {
        this.strict = strict;
        this.settings = new TreeMap<>(settings);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        Settings.check(context.getOperatorStateStore(), settings);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        // the settings do not change
    }

    @Override
    public void open(OpenContext context) {
        unreadable = getRuntimeContext().getMetricGroup().counter(METRIC);
    }

    @Override
    public void flatMap(Line line, Collector<Event> out) {
        Event event = line.event();
        if (event != null) {
            out.collect(event);
            return;
        }
        if (strict) {
            throw new SuppressRestartsException(new IllegalArgumentException(line.fault()));
        }
        unreadable.inc();
        if (unreadable.getCount() <= LOGGED) {
            LOG.warn("not counted: {}{}", line.fault(), unreadable.getCount() < LOGGED ? "" : "; no more are logged");
        }
    }
}
