package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The ways to count a stream in sliding windows that {@link CountStream} compares. */
enum Way {
    HOTPATH("EventWindow"),

    /** Each event is added to each window that it is in. */
    FLINK("Flink's own window");

    private static final TypeInformation<Count<Long>> COUNT = TypeInformation.of(new TypeHint<>() {});

    private final String title;

    Way(String title) {
        this.title = title;
    }

    SingleOutputStreamOperator<Count<Long>> count(KeyedStream<Event, Long> events, Duration size, Duration slide) {
        return switch (this) {
            case HOTPATH ->
                events.process(new SlidingCounts<Long, Event>(size, slide)).returns(COUNT);
            case FLINK ->
                events.window(SlidingEventTimeWindows.of(size, slide))
                        .aggregate(new Counter(), Way::emit, Types.LONG, COUNT);
        };
    }

    private static void emit(Long key, TimeWindow window, Iterable<Long> counts, Collector<Count<Long>> out) {
        out.collect(new Count<>(key, window.getEnd(), counts.iterator().next()));
    }

    @Override
    public String toString() {
        return title;
    }

    /** Adds up the events of a window as they come. */
    private static final class Counter implements AggregateFunction<Event, Long, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long createAccumulator() {
            return 0L;
        }

        @Override
        public Long add(Event event, Long count) {
            return count + 1;
        }

        @Override
        public Long getResult(Long count) {
            return count;
        }

        @Override
        public Long merge(Long a, Long b) {
            return a + b;
        }
    }
}
