package io.github.hotpath.examples.stream;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;
import org.jspecify.annotations.Nullable;

/**
 * Has files read in the order of their times of modification, and in that of their names where these are equal. Flink's
 * own assigner begins with the file that it has found last, and then the events of the others are late.
 *
 * <p>They are read by one subtask. Of several, one that has no file has no watermark, and holds back all results. If it
 * is declared idle after some time, so is one that waits for its storage, and the rest of its file is late. If it is
 * declared idle at once, its next file may be on its way while the others read on. A watermark for each file does not
 * help a reader that has none.
 */
final class OldestFirst implements FileSplitAssigner {
    private final PriorityQueue<FileSourceSplit> files =
            new PriorityQueue<>(Comparator.comparingLong(FileSourceSplit::fileModificationTime)
                    .thenComparing(file -> file.path().toString()));

    OldestFirst(Collection<FileSourceSplit> files) {
        addSplits(files);
    }

    @Override
    public Optional<FileSourceSplit> getNext(@Nullable String host) {
        return Optional.ofNullable(files.poll());
    }

    /** Adds files that were found, or that were given to a reader which has failed. */
    @Override
    public void addSplits(Collection<FileSourceSplit> splits) {
        files.addAll(splits);
    }

    @Override
    public Collection<FileSourceSplit> remainingSplits() {
        return List.copyOf(files);
    }
}
