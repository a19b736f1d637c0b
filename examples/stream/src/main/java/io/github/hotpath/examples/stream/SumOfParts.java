package io.github.hotpath.examples.stream;

import java.time.Duration;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Counts hot keys in parts, which are on several subtasks: the counts of a window's parts add up to that of the window.
 *
 * <p>Each result is emitted when the watermark reaches the end of the window, when those of all parts have come: a part
 * emits its result before it passes the watermark on. No state but sums is kept, and only until then. So hot keys and
 * the number of parts may be others after a restart from a savepoint: events that are in state are counted where they
 * are.
 *
 * <p>Parts for all keys would multiply results and state. To merge the windows of the parts would move their events,
 * and not only counts.
 */
public final class SumOfParts extends KeyedProcessFunction<Long, Count<Tuple2<Long, Integer>>, Count<Long>> {
    /** So many parts are spread over a few subtasks well enough. */
    static final int PARTS = 64;

    private static final long serialVersionUID = 1;

    /** For a key, by the ends of windows, the sums of the parts that have come. */
    private transient MapState<Long, Long> sums;

    /**
     * Counts events of which some keys have more than a subtask can count.
     *
     * @param events with timestamps
     * @param hotKeys the keys that are counted in parts
     * @param parts of each hot key: many times as many as subtasks, since Flink distributes them at random
     * @param size of a window
     * @param slide from the end of a window to that of the next
     * @param dropped as for {@link SlidingCounts}; null for none
     * @return the parts, which have the side output, and their sums
     */
    static Sums of(
            DataStream<Event> events,
            Set<Long> hotKeys,
            int parts,
            Duration size,
            Duration slide,
            @Nullable OutputTag<Event> dropped) {
        SingleOutputStreamOperator<Count<Tuple2<Long, Integer>>> counted = events.keyBy(
                        new Part(Set.copyOf(hotKeys), parts), Types.TUPLE(Types.LONG, Types.INT))
                .process(new SlidingCounts<Tuple2<Long, Integer>, Event>(size, slide, dropped))
                .returns(TypeInformation.of(new TypeHint<>() {}))
                .name("parts")
                .uid("parts");
        return new Sums(
                counted,
                counted.keyBy(count -> count.key().f0, Types.LONG)
                        .process(new SumOfParts())
                        .returns(TypeInformation.of(new TypeHint<>() {})));
    }

    /** What was counted: the parts, and their sums. */
    record Sums(
            SingleOutputStreamOperator<Count<Tuple2<Long, Integer>>> parts,
            SingleOutputStreamOperator<Count<Long>> sums) {}

    @Override
    public void open(OpenContext context) {
        sums = getRuntimeContext().getMapState(new MapStateDescriptor<>("sums", Types.LONG, Types.LONG));
    }

    @Override
    public void processElement(Count<Tuple2<Long, Integer>> part, Context context, Collector<Count<Long>> out)
            throws Exception {
        Long sum = sums.get(part.end());
        sums.put(part.end(), sum == null ? part.count() : sum + part.count());
        context.timerService().registerEventTimeTimer(part.end() - 1);
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<Count<Long>> out) throws Exception {
        long end = time + 1;
        out.collect(new Count<>(context.getCurrentKey(), end, sums.get(end)));
        sums.remove(end);
    }

    /** The key and the part of it: one that follows from the event, since Flink asks for it on both sides. */
    private record Part(Set<Long> hotKeys, int parts) implements KeySelector<Event, Tuple2<Long, Integer>> {
        @Override
        public Tuple2<Long, Integer> getKey(Event event) {
            return Tuple2.of(event.key(), hotKeys.contains(event.key()) ? part(event.time()) : 0);
        }

        private int part(long time) {
            long mixed = time * 0x9E3779B97F4A7C15L;
            return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, parts);
        }
    }
}
