package io.github.hotpath.examples.stream;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A source together with its watermarks. Flink is given both in one call, so that it makes watermarks for each split of
 * the source, such as a partition: a subtask that reads two of them is as far as the slower one. Watermarks that are
 * assigned behind the source would be as far as the faster one, and would make the events of the other late.
 *
 * @param name of the source, also in the state of a job
 * @param source of lines
 * @param watermarks of the lines, and their times
 * @param readers the number of subtasks that read: a subtask that has nothing to read holds all results back
 */
public record Input(String name, Source<Line, ?, ?> source, WatermarkStrategy<Line> watermarks, int readers) {
    /** Returns what is read. */
    DataStreamSource<Line> read(StreamExecutionEnvironment environment) {
        DataStreamSource<Line> lines = environment.fromSource(source, watermarks, name);
        lines.uid(name).setParallelism(readers);
        return lines;
    }
}
