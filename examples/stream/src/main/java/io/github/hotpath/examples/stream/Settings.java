package io.github.hotpath.examples.stream;

import java.util.Map;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Settings on which the state of an operator depends: they are part of it. */
final class Settings {
    private Settings() {}

    /**
     * Adds settings to the state, or fails if one is not that of the state, for which the job is not started again.
     *
     * @param store that of the operator, while its state is initialized
     * @param settings by their names
     */
    static void check(OperatorStateStore store, Map<String, String> settings) throws Exception {
        BroadcastState<String, String> stored =
                store.getBroadcastState(new MapStateDescriptor<>("settings", Types.STRING, Types.STRING));
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String before = stored.get(setting.getKey());
            if (before != null && !before.equals(setting.getValue())) {
                throw new SuppressRestartsException(new IllegalStateException(setting.getKey() + ": "
                        + setting.getValue() + " (expected: " + before + ", with which the state was made)"));
            }
            stored.put(setting.getKey(), setting.getValue());
        }
    }
}
