package io.github.hotpath.examples.replay;

import java.io.IOException;

/** Reads the lines of logs, and counts those that are not requests of a client. */
final class LogReader {
    /** How many lines are read before the progress is shown again. */
    private static final int STEP = 1 << 14;

    private final LineFormat format;
    private final ReadLog log;
    private final Progress progress;
    private final Sink sink;

    LogReader(LineFormat format, ReadLog log, Progress progress, Sink sink) {
        this.format = format;
        this.log = log;
        this.progress = progress;
        this.sink = sink;
    }

    /** Takes requests. */
    interface Sink {
        /** Takes a request of a client. */
        void add(String key, long nanos, int permits);
    }

    /** Reads a log to its end. */
    void read(String name, Lines lines) throws IOException {
        long number = 0;
        for (String line = lines.next(); line != null; line = lines.next()) {
            number++;
            if (number == 1 && format instanceof CsvFormat csv && csv.isHeader(line)) {
                continue;
            }
            if (!line.isBlank()) {
                log.addLine();
                try {
                    read(line);
                } catch (UnreadableLineException e) {
                    log.addUnreadable(name + ", line " + number, e);
                }
            }
            if (number % STEP == 0) {
                progress.show(lines.position(), lines.length());
            }
        }
    }

    private void read(String line) throws UnreadableLineException {
        if (line.length() > LineReader.LONGEST) {
            throw new UnreadableLineException("longer than " + LineReader.LONGEST + " bytes");
        }
        Request request = format.read(line);
        String key = request.key();
        if (key == null) {
            log.addWithoutKey();
        } else {
            sink.add(key, request.nanos(), request.permits());
        }
    }
}
