package io.github.hotpath.examples.fleet;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All grants of a run, and what they say of the limit. */
final class Grants {
    private final Map<Integer, List<GrantLog.Grant>> byKey;

    Grants(List<GrantLog.Grant> grants) {
        byKey = grants.stream().collect(Collectors.groupingBy(GrantLog.Grant::key));
    }

    /** Returns the most grants of a key in a time span of that length: those whose call began and ended in it. */
    long fullestWindow(long intervalNanos) {
        return byKey.values().stream()
                .mapToLong(grants -> fullestWindow(grants, intervalNanos))
                .max()
                .orElse(0);
    }

    /**
     * A window that holds the most begins with the beginning of a call. It holds the calls that end in time, but for
     * those that began earlier: all of these have ended in time, too, unless they are longer than the window.
     */
    private static long fullestWindow(List<GrantLog.Grant> grants, long intervalNanos) {
        long[] begins =
                grants.stream().mapToLong(GrantLog.Grant::begin).sorted().toArray();
        long[] ends = grants.stream().mapToLong(GrantLog.Grant::end).sorted().toArray();
        List<GrantLog.Grant> longCalls = grants.stream()
                .filter(grant -> grant.end() - grant.begin() > intervalNanos)
                .toList();
        long fullest = 0;
        int ended = 0;
        for (int earlier = 0; earlier < begins.length; earlier++) {
            long begin = begins[earlier];
            if (earlier > 0 && begin == begins[earlier - 1]) {
                continue;
            }
            while (ended < ends.length && ends[ended] <= begin + intervalNanos) {
                ended++;
            }
            long around = longCalls.stream()
                    .filter(call -> call.begin() < begin && call.end() > begin + intervalNanos)
                    .count();
            fullest = Math.max(fullest, ended - earlier + around);
        }
        return fullest;
    }

    /** Returns how many grants of {@code key} are certain to have been made at {@code begin} or later. */
    long since(int key, long begin) {
        return byKey.getOrDefault(key, List.of()).stream()
                .filter(grant -> grant.begin() >= begin)
                .count();
    }

    int[] keys() {
        int[] keys = byKey.keySet().stream().mapToInt(key -> key).toArray();
        Arrays.sort(keys);
        return keys;
    }
}
