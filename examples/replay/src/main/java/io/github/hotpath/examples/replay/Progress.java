package io.github.hotpath.examples.replay;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar, which is shown if the work takes long. */
final class Progress implements AutoCloseable {
    private static final int WIDTH = 80;

    private final PrintStream err;
    private final String task;
    private final long delayNanos;
    private final boolean isBytes;
    private final long startNanos = System.nanoTime();
    private @Nullable ProgressBar bar;

    /** Takes when the bar is shown: after so long, or never if that is negative. */
    Progress(PrintStream err, String task, boolean isBytes, long delayNanos) {
        this.err = err;
        this.task = task;
        this.isBytes = isBytes;
        this.delayNanos = delayNanos;
    }

    /** Says how much is done; an unknown length is negative. */
    void show(long position, long length) {
        if (bar == null && delayNanos >= 0 && System.nanoTime() - startNanos >= delayNanos) {
            ProgressBarBuilder builder = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(length)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(err, WIDTH));
            bar = (isBytes ? builder.setUnit(" MB", 1 << 20) : builder).build();
        }
        if (bar != null) {
            bar.stepTo(position);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
