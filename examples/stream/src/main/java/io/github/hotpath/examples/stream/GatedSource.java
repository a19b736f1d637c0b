package io.github.hotpath.examples.stream;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.util.NumberSequenceIterator;
import org.jspecify.annotations.Nullable;

/** The numbers of events in order, with stops at the gates of a {@link Control}: Flink goes on working meanwhile. */
final class GatedSource extends NumberSequenceSource {
    private static final long serialVersionUID = 1;

    private final Control.Handle control;

    GatedSource(long events, Control.Handle control) {
        super(0, events - 1);
        this.control = control;
    }

    @Override
    public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) {
        return new Reader(context, control.get());
    }

    @SuppressWarnings("try") // close is that of the class that it extends
    private static final class Reader extends IteratorSourceReader<Long, NumberSequenceIterator, NumberSequenceSplit> {
        private final Control control;
        private long next;

        private Reader(SourceReaderContext context, Control control) {
            super(context);
            this.control = control;
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Long> output) {
            Control.Gate closed = closedGate();
            if (closed == null) {
                return super.pollNext(output);
            }
            closed.reached().complete(null);
            return InputStatus.NOTHING_AVAILABLE;
        }

        @Override
        protected Long convert(Long number) {
            next = number + 1;
            control.position.lazySet(number);
            return number;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            Control.Gate closed = closedGate();
            return closed == null ? super.isAvailable() : closed.opened();
        }

        private Control.@Nullable Gate closedGate() {
            for (Control.Gate gate : control.gates) {
                if (gate.number() == next && !gate.opened().isDone()) {
                    return gate;
                }
            }
            return null;
        }
    }
}
