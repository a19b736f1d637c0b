package io.github.hotpath.examples.stream;

import io.github.hotpath.examples.stream.SlidingCounts.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.runtime.metrics.util.InterceptingOperatorMetricGroup;
import org.apache.flink.runtime.metrics.util.InterceptingTaskMetricGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFinalizer;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;

/** The subtasks of an operator with {@link SlidingCounts}, which work when they are called, and can be restarted. */
final class Subtasks {
    private static final int MAX_PARALLELISM = 16;
    private static final OutputTag<Event> DROPPED = new OutputTag<>("dropped", TypeInformation.of(Event.class));

    private final Duration size;
    private final Duration slide;
    private final List<KeyedOneInputStreamOperatorTestHarness<Long, Event, Count<Long>>> subtasks = new ArrayList<>();
    private final List<Count<Long>> closed = new ArrayList<>();
    private final List<InterceptingOperatorMetricGroup> metrics = new ArrayList<>();
    private int checkpoints;

    Subtasks(Duration size, Duration slide) {
        this.size = size;
        this.slide = slide;
    }

    /** Starts as many of them, without a state. */
    void start(int parallelism) throws Exception {
        for (int i = 0; i < parallelism; i++) {
            var subtask = subtask(parallelism, i);
            subtask.open();
            subtasks.add(subtask);
        }
    }

    private KeyedOneInputStreamOperatorTestHarness<Long, Event, Count<Long>> subtask(int parallelism, int index)
            throws Exception {
        InterceptingOperatorMetricGroup group = new InterceptingOperatorMetricGroup();
        metrics.add(group);
        MockEnvironment environment = new MockEnvironmentBuilder()
                .setMaxParallelism(MAX_PARALLELISM)
                .setParallelism(parallelism)
                .setSubtaskIndex(index)
                .setMetricGroup(new InterceptingTaskMetricGroup() {
                    @Override
                    public InternalOperatorMetricGroup getOrAddOperator(
                            OperatorID id, String name, Map<String, String> variables) {
                        return group;
                    }
                })
                .build();
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new SlidingCounts<Long, Event>(size, slide, DROPPED)),
                Event::key,
                Types.LONG,
                environment);
    }

    void process(long key, long time) throws Exception {
        int index = KeyGroupRangeAssignment.assignKeyToParallelOperator(key, MAX_PARALLELISM, subtasks.size());
        subtasks.get(index).processElement(new Event(key, time), time);
    }

    void watermark(long time) throws Exception {
        for (var subtask : subtasks) {
            subtask.processWatermark(time);
        }
    }

    /** The state of all subtasks, and how many they were. */
    record Checkpoint(OperatorSubtaskState state, int parallelism) {}

    Checkpoint checkpoint() throws Exception {
        return written(beginCheckpoint());
    }

    /**
     * Begins a checkpoint as Flink does: the state is of this moment, and is written when {@link #written} is called.
     */
    List<OperatorSnapshotFutures> beginCheckpoint() throws Exception {
        List<OperatorSnapshotFutures> parts = new ArrayList<>();
        checkpoints++;
        for (var subtask : subtasks) {
            parts.add(subtask.getOperator()
                    .snapshotState(
                            checkpoints,
                            checkpoints,
                            CheckpointOptions.forCheckpointWithDefaultLocation(),
                            new MemCheckpointStreamFactory(1 << 24)));
        }
        return parts;
    }

    static Checkpoint written(List<OperatorSnapshotFutures> parts) throws Exception {
        OperatorSubtaskState[] states = new OperatorSubtaskState[parts.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = OperatorSnapshotFinalizer.create(parts.get(i)).getJobManagerOwnedState();
        }
        return new Checkpoint(KeyedOneInputStreamOperatorTestHarness.repackageState(states), states.length);
    }

    /** Closes all subtasks and starts {@code parallelism} of them with the state of {@code checkpoint}. */
    void restart(Checkpoint checkpoint, int parallelism) throws Exception {
        close();
        for (int i = 0; i < parallelism; i++) {
            var subtask = subtask(parallelism, i);
            subtask.setup();
            subtask.initializeState(KeyedOneInputStreamOperatorTestHarness.repartitionOperatorState(
                    checkpoint.state, MAX_PARALLELISM, checkpoint.parallelism, parallelism, i));
            subtask.open();
            subtasks.add(subtask);
        }
    }

    /** Returns all results, also those of subtasks that were closed; of each subtask in order. */
    List<Count<Long>> results() {
        List<Count<Long>> results = new ArrayList<>(closed);
        subtasks.forEach(subtask -> results.addAll(subtask.extractOutputValues()));
        return results;
    }

    /** Returns the events that have come to the side output. */
    List<Event> dropped() {
        return subtasks.stream()
                .map(subtask -> subtask.getSideOutput(DROPPED))
                .filter(Objects::nonNull)
                .flatMap(Queue::stream)
                .map(StreamRecord::getValue)
                .toList();
    }

    /** Returns the sum of a metric. */
    long metric(String name) {
        return metrics.stream()
                .map(subtask -> subtask.get(name))
                .mapToLong(metric -> ((Counter) metric).getCount())
                .sum();
    }

    int stateEntries() {
        return subtasks.stream()
                .mapToInt(KeyedOneInputStreamOperatorTestHarness::numKeyedStateEntries)
                .sum();
    }

    int timers() {
        return subtasks.stream()
                .mapToInt(KeyedOneInputStreamOperatorTestHarness::numEventTimeTimers)
                .sum();
    }

    void close() throws Exception {
        for (var subtask : subtasks) {
            closed.addAll(subtask.extractOutputValues());
            subtask.close();
            subtask.getEnvironment().close();
        }
        subtasks.clear();
        metrics.clear();
    }
}
