package io.github.hotpath.examples.article;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdk.jfr.consumer.RecordingFile;

/** A count of exceptions per turn, those that are caught included: Flight Recorder counts each that is created. */
final class ExceptionCounter implements TurnCounter {
    private static final int TURNS = CountEventsArguments.DEFAULT_TURNS;

    private final Path dir;

    /** Creates a counter of stages that work in {@code dir}. */
    ExceptionCounter(Path dir) {
        this.dir = dir.toAbsolutePath();
    }

    @Override
    public String perTurn(Stage stage) throws IOException, InterruptedException {
        if (!FlightRecorder.isAvailable()) {
            throw new IOException("this JVM has no Flight Recorder");
        }
        Path recording = Files.createTempFile(dir, "exceptions-", ".jfr");
        List<String> options = FlightRecorder.recording(recording, "endChunk", "jdk.ExceptionStatistics");
        List<String> errors = new ArrayList<>();
        if (StageLauncher.jvm(options, stage, dir, TURNS).run(line -> {}, errors::add) != 0) {
            throw new IOException("a JVM with Flight Recorder failed: " + String.join(" ", errors));
        }
        return String.format(Locale.ROOT, "%.2f", (double) throwables(recording) / TURNS);
    }

    /** Returns the highest count, because each continues the one before. */
    private static long throwables(Path recording) throws IOException {
        return RecordingFile.readAllEvents(recording).stream()
                .mapToLong(event -> event.getLong("throwables"))
                .max()
                .orElseThrow(() -> new IOException("Flight Recorder left no count"));
    }

    @Override
    public String toString() {
        return "exceptions per turn";
    }
}
