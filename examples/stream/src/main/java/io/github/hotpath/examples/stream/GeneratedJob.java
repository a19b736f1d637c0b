package io.github.hotpath.examples.stream;

import java.time.Duration;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A job of a {@link Control} that counts generated events. They come from one source, so that their order, and what is
 * late, is known.
 */
record GeneratedJob(
        GeneratedEvents events, Duration size, Duration slide, Way way, Set<Long> hotKeys, int parallelism) {
    private static final int MAX_PARALLELISM = 128;

    /** A job that counts no key in parts. */
    GeneratedJob(GeneratedEvents events, Duration size, Duration slide, Way way, int parallelism) {
        this(events, size, slide, way, Set.of(), parallelism);
    }

    StreamGraph graph(Configuration configuration, Control.Handle control) {
        StreamExecutionEnvironment environment = new StreamExecutionEnvironment(configuration);
        environment.setParallelism(parallelism).setMaxParallelism(MAX_PARALLELISM);
        environment.getConfig().enableObjectReuse(); // events are immutable
        DataStream<Event> stream = environment
                .fromSource(new GatedSource(events.events(), control), events.watermarks(number -> number), "numbers")
                .uid("numbers")
                .setParallelism(1)
                .map(new Generator(events, control))
                .returns(TypeInformation.of(Event.class))
                .setParallelism(1);
        counts(stream).uid("counts").sinkTo(new Results(control)).uid("results");
        return environment.getStreamGraph();
    }

    private SingleOutputStreamOperator<Count<Long>> counts(DataStream<Event> stream) {
        return hotKeys.isEmpty()
                ? way.count(stream, size, slide, null)
                : SumOfParts.of(stream, hotKeys, SumOfParts.PARTS, size, slide, null)
                        .sums();
    }

    /** Makes events of their numbers, and fails once, which kills its task. */
    private static final class Generator extends RichMapFunction<Long, Event> {
        private static final long serialVersionUID = 1;

        private final GeneratedEvents events;
        private final Control.Handle handle;
        private transient Control control;

        private Generator(GeneratedEvents events, Control.Handle handle) {
            this.events = events;
            this.handle = handle;
        }

        @Override
        public void open(OpenContext context) {
            control = handle.get();
        }

        @Override
        public Event map(Long number) {
            if (number == control.kill) {
                control.killOnce();
            }
            return events.event(number);
        }
    }

    /** Passes the results on. */
    private record Results(Control.Handle control) implements Sink<Count<Long>> {
        @Override
        public SinkWriter<Count<Long>> createWriter(WriterInitContext context) {
            Control shared = control.get();
            return new SinkWriter<>() {
                @Override
                public void write(Count<Long> result, Context context) {
                    shared.results.accept(result);
                }

                @Override
                public void flush(boolean endOfInput) {
                    // nothing is held back
                }

                @Override
                public void close() {
                    // nothing to close
                }
            };
        }
    }
}
