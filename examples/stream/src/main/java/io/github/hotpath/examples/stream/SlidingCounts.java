package io.github.hotpath.examples.stream;

import io.github.hotpath.window.EventWindow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of each key in a sliding window of event time: with a size of a minute and a slide of a second, how
 * many there were in the last minute, every second.
 *
 * <p>The results are those of Flink's own sliding windows: one for each window with an event in it, when the watermark
 * reaches its end; the window has the events from its end less the size, inclusive, to its end, exclusive. An event
 * that comes behind the watermark counts in those of its windows that are still to be counted. Unlike with Flink's own,
 * this holds after a failure as well.
 *
 * <p>Two metrics count what is missing in the results: {@value #LATE_METRIC} the late events that some of their windows
 * lack, since these were counted already, and {@value #DROPPED_METRIC}, as with Flink's own windows, those that all of
 * them lack. The latter are emitted to a side output if there is one.
 *
 * <p>An event is stored once, whatever size and slide are, and costs the same if the state is on the heap. In RocksDB
 * each event reads and writes the others of its slide, and each result those of its window. A key without events in the
 * last window has no state. Checkpoints must be aligned, as they are unless another kind is configured. Size and slide
 * are part of the state: a job that is started from a savepoint with others fails, and names both values.
 *
 * @param <K> the type of the key
 * @param <T> the type of the events, which need timestamps in milliseconds of the epoch, from 1824 to 2115
 */
public final class SlidingCounts<K, T> extends KeyedProcessFunction<K, T, SlidingCounts.Count<K>>
        implements CheckpointedFunction {
    /*
     * An event waits with others until the watermark reaches the end of the first window that will count it. Then they
     * are recorded in the window that slides. So that window is never further than the watermark: if a single event
     * that is far ahead of the others were recorded in it, it would evict what is still to be counted.
     *
     *    waiting:   end 60 -> [59.2 59.7]   end 61 -> [60.1]   ...   end 164 -> [163.5]
     *                    |
     *                    v  when the watermark is at 60 s - 1 ms
     *    counted:   [0.3 ... 58.9]
     *
     * After a restart an operator has no watermark until the next one comes. Meanwhile an event behind the watermark
     * of before would be counted in windows that were counted already, and these results would be wrong. So the
     * watermark is state. It is that of the operator and not of a key: at an aligned checkpoint all subtasks have the
     * same one.
     */
    /** The name of a metric: how many events came behind the watermark, and are missing in some of their windows. */
    static final String LATE_METRIC = "numLateRecordsCounted";

    /** The name of a metric: how many events are missing in all of their windows. */
    static final String DROPPED_METRIC = "numLateRecordsDropped";

    private static final long serialVersionUID = 1;
    private static final long LATEST = TimeUnit.NANOSECONDS.toMillis(1L << 62);

    private final long sizeMillis;
    private final long slideMillis;
    private final @Nullable OutputTag<T> dropped;

    /** For each key the events that were counted and are in the last window: those before its end. */
    private transient ValueState<EventWindow> counted;

    /** For each key, by the end of the first window that will count them, the other events. */
    private transient MapState<Long, EventWindow> waiting;

    private transient ListState<Long> watermarkState;

    /** The watermark of the checkpoint that was restored. */
    private transient long restoredWatermark;

    /** That of the operator, as soon as there was a call. */
    private transient @Nullable TimerService timers;

    private transient Counter lateEvents;
    private transient Counter droppedEvents;

    /**
     * The number of events of a key in a sliding window.
     *
     * @param key what the events have in common
     * @param end of the window, in milliseconds of the epoch: an event at this time is no longer in it
     * @param count how many events are in it, at least 1
     * @param <K> the type of the key
     */
    public record Count<K>(K key, long end, long count) {}

    /**
     * Makes a function.
     *
     * @param size of a window
     * @param slide from the end of a window to that of the next: ends are multiples of it
     * @throws IllegalArgumentException if one of them is not a positive number of whole milliseconds
     */
    public SlidingCounts(Duration size, Duration slide) {
        this(size, slide, null);
    }

    /**
     * Makes a function with a side output.
     *
     * @param size of a window
     * @param slide from the end of a window to that of the next: ends are multiples of it
     * @param dropped the side output of events that are in no window that is still to be counted; null for none
     * @throws IllegalArgumentException if a duration is not a positive number of whole milliseconds
     */
    public SlidingCounts(Duration size, Duration slide, @Nullable OutputTag<T> dropped) {
        sizeMillis = millis(size, "size");
        slideMillis = millis(slide, "slide");
        this.dropped = dropped;
    }

    private static long millis(Duration duration, String name) {
        if (duration.compareTo(Duration.ZERO) <= 0 || duration.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    name + ": " + duration + " (expected: a positive number of whole milliseconds)");
        }
        return duration.toMillis();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        OperatorStateStore store = context.getOperatorStateStore();
        checkSetting(store, "size", sizeMillis);
        checkSetting(store, "slide", slideMillis);
        watermarkState = store.getUnionListState(new ListStateDescriptor<>("watermark", LongSerializer.INSTANCE));
        restoredWatermark = Long.MIN_VALUE;
        for (long watermark : watermarkState.get()) {
            if (watermark < Long.MAX_VALUE) { // a job that was drained begins anew: all its windows were counted
                restoredWatermark = Math.max(restoredWatermark, watermark);
            }
        }
    }

    /** Adds a setting to the state; fails if it has another value there, and the job is not started again. */
    private static void checkSetting(OperatorStateStore store, String name, long millis) throws Exception {
        BroadcastState<String, String> settings =
                store.getBroadcastState(new MapStateDescriptor<>("settings", Types.STRING, Types.STRING));
        String value = Duration.ofMillis(millis).toString();
        String before = settings.get(name);
        if (before != null && !before.equals(value)) {
            throw new SuppressRestartsException(new IllegalStateException(
                    name + ": " + value + " (expected: " + before + ", with which the state was made)"));
        }
        settings.put(name, value);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        watermarkState.update(List.of(watermark()));
    }

    @Override
    public void open(OpenContext context) {
        counted = getRuntimeContext().getState(new ValueStateDescriptor<>("counted", EventWindowSerializer.INSTANCE));
        waiting = getRuntimeContext()
                .getMapState(
                        new MapStateDescriptor<>("waiting", LongSerializer.INSTANCE, EventWindowSerializer.INSTANCE));
        lateEvents = getRuntimeContext().getMetricGroup().counter(LATE_METRIC);
        droppedEvents = getRuntimeContext().getMetricGroup().counter(DROPPED_METRIC);
    }

    /** Returns the interval of the windows, which are closed at both ends: from 0 s to 59.999 s for a minute. */
    private Duration interval() {
        return Duration.ofMillis(sizeMillis - 1);
    }

    private long watermark() {
        return timers == null ? restoredWatermark : Math.max(restoredWatermark, timers.currentWatermark());
    }

    @Override
    public void processElement(T event, Context context, Collector<Count<K>> out) throws Exception {
        timers = context.timerService();
        long time = context.timestamp();
        checkTime(time);
        long first = endAfter(time);
        long end = Math.max(first, endAfter(watermark() + 1));
        if (time >= end - sizeMillis) {
            EventWindow window = waiting.get(end);
            window = window == null ? EventWindow.of(interval()) : window;
            window.record(nanos(time));
            waiting.put(end, window);
            timers.registerEventTimeTimer(end - 1);
            if (end > first) {
                lateEvents.inc();
            }
        } else if (time >= first - sizeMillis) { // otherwise it is between windows that do not overlap
            drop(event, context);
        }
    }

    /** Fails for what is no time in milliseconds: windows count in nanoseconds, which a {@code long} holds until then. */
    static void checkTime(long time) {
        if (time < -LATEST || time > LATEST) { // without a timestamp it is Long.MIN_VALUE
            throw new IllegalStateException(
                    "timestamp: " + time + " (expected: milliseconds of the epoch, from 1824 to 2115)");
        }
    }

    private void drop(T event, Context context) {
        droppedEvents.inc();
        if (dropped != null) {
            context.output(dropped, event);
        }
    }

    /** Returns the end of the first window that ends after {@code time}. */
    private long endAfter(long time) {
        return (Math.floorDiv(time, slideMillis) + 1) * slideMillis;
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<Count<K>> out) throws Exception {
        timers = context.timerService();
        long end = time + 1;
        EventWindow window = counted.value();
        EventWindow events = waiting.get(end);
        if (events != null) {
            waiting.remove(end);
            window = window == null ? events : merged(window, events);
        }
        long count = window == null ? 0 : window.count(nanos(time));
        if (count > 0) {
            counted.update(window);
            timers.registerEventTimeTimer(time + slideMillis);
            out.collect(new Count<>(context.getCurrentKey(), end, count));
        } else {
            counted.clear();
        }
    }

    private static EventWindow merged(EventWindow window, EventWindow events) {
        for (long nanos : events.toArray()) {
            window.record(nanos);
        }
        return window;
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
