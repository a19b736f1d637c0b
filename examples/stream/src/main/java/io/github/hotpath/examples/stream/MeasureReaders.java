package io.github.hotpath.examples.stream;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Measures how many events of files Flink reads and counts in a second, in this JVM, with one subtask that reads, and
 * with two. Each of two has files with the events of all times, so that it makes no event late.
 *
 * <pre>mvn -q compile exec:java -pl examples/stream -am \
 *     -Dexec.mainClass=io.github.hotpath.examples.stream.MeasureReaders -Dexec.args=docs/performance/raw</pre>
 */
public final class MeasureReaders {
    private static final Duration SIZE = Duration.ofMinutes(1);
    private static final Duration SLIDE = Duration.ofSeconds(1);
    private static final int EVENTS = 3_000_000;
    private static final int FILES = 2;
    private static final int ROUNDS = 3;
    private static final int SUBTASKS = 2;

    private MeasureReaders() {}

    /** Measures, and writes the results into the directory that is given. */
    public static void main(String[] args) throws Exception {
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0]))) {
            System.err.println("MeasureReaders: " + String.join(" ", args) + ": not one directory");
            System.exit(2);
        }
        if (OwnJvm.isNeeded()) {
            System.exit(OwnJvm.run(MeasureReaders.class, args));
        }
        Path dir = Files.createTempDirectory("hotpath-");
        try {
            writeEvents(dir);
            List<String> lines = new ArrayList<>();
            for (int round = 0; round <= ROUNDS; round++) { // in the first, code is compiled
                for (int readers : new int[] {1, 2}) {
                    for (boolean counted : new boolean[] {false, true}) {
                        long perSecond = measure(dir, readers, counted);
                        if (round > 0) {
                            lines.add(String.format(
                                    Locale.ROOT,
                                    "round %d, %d readers, %s: %d events a second",
                                    round,
                                    readers,
                                    counted ? "counted" : "only read",
                                    perSecond));
                        }
                    }
                }
            }
            lines.forEach(System.out::println);
            Files.write(
                    Path.of(args[0], "stream-readers-jdk" + Runtime.version().feature() + ".txt"), lines);
        } finally {
            TemporaryFiles.delete(dir);
        }
    }

    private static void writeEvents(Path dir) throws IOException {
        GeneratedEvents events = new GeneratedEvents(EVENTS, 100, 5_000, 0);
        for (int file = 0; file < FILES; file++) {
            try (BufferedWriter writer = Files.newBufferedWriter(dir.resolve("events-" + file))) {
                for (long number = file; number < EVENTS; number += FILES) {
                    Event event = events.event(number);
                    writer.write(event.key() + "," + event.time() + "\n");
                }
            }
        }
    }

    private static long measure(Path dir, int readers, boolean counted) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(SUBTASKS, new Configuration());
        environment.getConfig().enableObjectReuse();
        FileSource<Line> files = FileSource.forBulkFileFormat(
                        new LineFormat(), new org.apache.flink.core.fs.Path(dir.toUri()))
                .setSplitAssigner(OldestFirst::new)
                .build();
        Duration allEvents = Duration.ofDays(1); // none is late, whichever file is read first
        DataStream<Event> events = new Input("files", files, SlideWatermarks.ofLines(allEvents, SLIDE), readers)
                .read(environment)
                .flatMap(new ReadableLines(true, Map.of()))
                .returns(TypeInformation.of(Event.class))
                .setParallelism(readers);
        if (counted) {
            Way.HOTPATH.count(events, SIZE, SLIDE, null).sinkTo(new DiscardingSink<>());
        } else {
            events.sinkTo(new DiscardingSink<>()).setParallelism(readers);
        }
        long millis = environment.execute().getNetRuntime();
        return 1_000L * EVENTS / millis;
    }
}
