package io.github.hotpath.examples.stream;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** Flink in this JVM, with all that it has to keep in one directory, and no address but the loopback one. */
final class LocalCluster {
    private static final long PAUSE_NANOS = 1_000_000;

    private final Configuration configuration;
    private final MiniCluster cluster;

    /** Starts it with so many slots; a job makes a checkpoint at each {@code interval}, of state on the heap. */
    LocalCluster(Path dir, int slots, Duration interval) throws Exception {
        this(dir, slots, interval, "hashmap");
    }

    /** The same with another backend of state. */
    LocalCluster(Path dir, int slots, Duration interval, String backend) throws Exception {
        configuration = configuration(dir, interval);
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
        cluster.start();
    }

    private static Configuration configuration(Path dir, Duration interval) {
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, "localhost");
        configuration.set(JobManagerOptions.BIND_HOST, "localhost");
        configuration.set(TaskManagerOptions.HOST, "localhost");
        configuration.set(TaskManagerOptions.BIND_HOST, "localhost");
        configuration.set(RestOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(CoreOptions.TMP_DIRS, dir.toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval);
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                dir.resolve("checkpoints").toUri().toString());
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        return configuration;
    }

    /** Starts {@code job}, from the state of a savepoint if there is one. */
    JobID submit(GeneratedJob job, Control control, SavepointRestoreSettings savepoint) throws Exception {
        StreamGraph graph = job.graph(configuration, control.handle());
        graph.setJobId(new JobID());
        graph.setSavepointRestoreSettings(savepoint);
        return cluster.submitJob(graph).get().getJobID();
    }

    /** Returns what is complete when the job is at its end, exceptionally if it has failed. */
    CompletableFuture<Void> end(JobID job) {
        return cluster.requestJobResult(job)
                .thenAccept(result -> result.getSerializedThrowable().ifPresent(failure -> {
                    throw new CompletionException(failure.deserializeError(LocalCluster.class.getClassLoader()));
                }));
    }

    /** Makes a checkpoint and returns how many bytes it has. */
    long checkpoint(JobID job) throws Exception {
        awaitTasks(job);
        long id = cluster.triggerCheckpoint(job, CheckpointType.CONFIGURED).get();
        return cluster.getExecutionGraph(job)
                .get()
                .getCheckpointStatsSnapshot()
                .getHistory()
                .getCheckpointById(id)
                .getStateSize();
    }

    /** Returns how many events {@code job} counts in a second, in the second half of its stream. */
    double eventsPerSecond(GeneratedJob job) throws Exception {
        long events = job.events().events();
        try (Control control = new Control(-1, result -> {}, events / 2, events - 1)) {
            JobID id = submit(job, control, SavepointRestoreSettings.none());
            CompletableFuture<Void> end = end(id);
            passed(control.gates.get(0), id, end);
            long start = System.nanoTime();
            control.gates.get(0).open();
            passed(control.gates.get(1), id, end);
            long nanos = System.nanoTime() - start;
            cancel(id);
            return (events - events / 2) * 1e9 / nanos;
        }
    }

    /** Waits until all events before a gate are counted: a checkpoint comes behind them. */
    private void passed(Control.Gate gate, JobID job, CompletableFuture<Void> end) throws Exception {
        CompletableFuture.anyOf(gate.reached(), end).join();
        checkpoint(job);
    }

    /** Stops a job and returns where its state is, for {@link #submit}. */
    SavepointRestoreSettings stopWithSavepoint(JobID job, Path dir) throws Exception {
        awaitTasks(job);
        String savepoint = cluster.stopWithSavepoint(job, dir.toUri().toString(), false, SavepointFormatType.CANONICAL)
                .get();
        return SavepointRestoreSettings.forPath(savepoint);
    }

    /** Ends a job whose end is of no interest. */
    void cancel(JobID job) throws Exception {
        cluster.cancelJob(job).get();
        cluster.requestJobResult(job).get();
    }

    /** Waits until all tasks of a job run: a source may come to its gate before others have begun. */
    private void awaitTasks(JobID job) throws Exception {
        while (!allTasksRun(job)) {
            if (cluster.getJobStatus(job).get().isTerminalState()) {
                throw new IllegalStateException("the job is at its end");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean allTasksRun(JobID job) throws Exception {
        for (AccessExecutionVertex task : cluster.getExecutionGraph(job).get().getAllExecutionVertices()) {
            if (task.getExecutionState() != ExecutionState.RUNNING) {
                return false;
            }
        }
        return true;
    }

    void close() throws Exception {
        cluster.close();
    }
}
