package io.github.hotpath.examples.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.impl.StreamFormatAdapter;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;
import org.jspecify.annotations.Nullable;

/** Reads the lines of text files, which may be compressed, with the name of the file and the number of the line. */
final class LineFormat implements BulkFormat<Line, FileSourceSplit> {
    private static final long serialVersionUID = 1;

    private final StreamFormatAdapter<String> texts = new StreamFormatAdapter<>(new TextLineInputFormat());

    @Override
    public BulkFormat.Reader<Line> createReader(Configuration configuration, FileSourceSplit split) throws IOException {
        return new LineReader(texts.createReader(configuration, split), split);
    }

    @Override
    public BulkFormat.Reader<Line> restoreReader(Configuration configuration, FileSourceSplit split)
            throws IOException {
        return new LineReader(texts.restoreReader(configuration, split), split);
    }

    /** A file is read from its beginning to its end: parts of it would be read in any order. */
    @Override
    public boolean isSplittable() {
        return false;
    }

    @Override
    public TypeInformation<Line> getProducedType() {
        return TypeInformation.of(Line.class);
    }

    private record LineReader(BulkFormat.Reader<String> texts, String file) implements BulkFormat.Reader<Line> {
        private LineReader(BulkFormat.Reader<String> texts, FileSourceSplit split) {
            this(texts, split.path().toString());
        }

        @Override
        public BulkFormat.@Nullable RecordIterator<Line> readBatch() throws IOException {
            BulkFormat.RecordIterator<String> batch = texts.readBatch();
            return batch == null ? null : new Lines(batch, file, new MutableRecordAndPosition<>());
        }

        @Override
        public void close() throws IOException {
            texts.close();
        }
    }

    private record Lines(BulkFormat.RecordIterator<String> texts, String file, MutableRecordAndPosition<Line> line)
            implements BulkFormat.RecordIterator<Line> {
        /** The position of a line is how many lines there are up to its end, which is its number. */
        @Override
        public @Nullable RecordAndPosition<Line> next() {
            RecordAndPosition<String> text = texts.next();
            if (text == null) {
                return null;
            }
            long number = text.getRecordSkipCount();
            line.set(Line.of(file, number, text.getRecord()), text.getOffset(), number);
            return line;
        }

        @Override
        public void releaseBatch() {
            texts.releaseBatch();
        }
    }
}
