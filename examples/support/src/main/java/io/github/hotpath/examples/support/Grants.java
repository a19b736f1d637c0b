package io.github.hotpath.examples.support;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All grants of a run, which show that a limit was kept whatever happened in between: of each grant it is known only
 * that the permits were acquired at some time between the beginning and the end of the call.
 */
public final class Grants {
    /** In the order of their beginnings. */
    private final Map<Integer, List<Grant>> byKey;

    /**
     * A granted call. The times are of one clock, in nanoseconds.
     *
     * @param key whose limit it was
     * @param begin the time before the call
     * @param end the time after it
     * @param permits how many permits were acquired
     */
    public record Grant(int key, long begin, long end, long permits) {}

    /** Takes the grants, in any order. */
    public Grants(List<Grant> grants) {
        byKey = grants.stream()
                .sorted(Comparator.comparingLong(Grant::begin))
                .collect(Collectors.groupingBy(Grant::key, TreeMap::new, Collectors.toList()));
    }

    /** Returns the keys that were granted something, in order. */
    public Set<Integer> keys() {
        return byKey.keySet();
    }

    /** Returns the grants of {@code key} in the order in which their calls began. */
    public List<Grant> of(int key) {
        return byKey.getOrDefault(key, List.of());
    }

    /**
     * Returns the most permits of one key that are certain to have been acquired within one time span of length {@code
     * intervalNanos}, both ends included: if it is more than the limit allows, the limit was exceeded.
     */
    public long most(long intervalNanos) {
        return byKey.values().stream()
                .mapToLong(grants -> most(grants, intervalNanos))
                .max()
                .orElse(0);
    }

    /**
     * A span that has the most permits begins with a call. It has the calls that end in time, but for those that began
     * earlier; all of these have ended in time, since calls longer than the span are left out.
     */
    private static long most(List<Grant> all, long interval) {
        List<Grant> begins = all.stream()
                .filter(grant -> grant.end() - grant.begin() <= interval)
                .toList();
        List<Grant> ends =
                begins.stream().sorted(Comparator.comparingLong(Grant::end)).toList();
        long most = 0;
        long ended = 0;
        long begunEarlier = 0;
        int next = 0;
        for (Grant first : begins) {
            while (next < ends.size() && ends.get(next).end() - first.begin() <= interval) {
                ended += ends.get(next++).permits();
            }
            most = Math.max(most, ended - begunEarlier); // of calls that begin together, the first one counts most
            begunEarlier += first.permits();
        }
        return most;
    }
}
