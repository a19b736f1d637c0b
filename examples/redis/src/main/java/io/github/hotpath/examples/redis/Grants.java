package io.github.hotpath.examples.redis;

import io.github.hotpath.examples.redis.Report.Grant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/** What the log of all grants proves. */
final class Grants {
    private final Map<Integer, List<Grant>> byKey;

    Grants(List<Grant> grants) {
        byKey = grants.stream().collect(Collectors.groupingBy(Grant::key));
    }

    /** Returns the most grants of a key in a time span of that length: those whose call began and ended in it. */
    int fullest(long intervalNanos) {
        return byKey.values().stream()
                .mapToInt(grants -> fullest(grants, intervalNanos))
                .max()
                .orElse(0);
    }

    /** A span that holds the most begins with a call; it holds those that end in time, but for those begun earlier. */
    private static int fullest(List<Grant> all, long interval) {
        List<Grant> grants = all.stream()
                .filter(grant -> grant.end() - grant.begin() <= interval)
                .toList();
        long[] begins = grants.stream().mapToLong(Grant::begin).sorted().toArray();
        long[] ends = grants.stream().mapToLong(Grant::end).sorted().toArray();
        int fullest = 0;
        int ended = 0;
        for (int earlier = 0; earlier < begins.length; earlier++) {
            while (ended < ends.length && ends[ended] <= begins[earlier] + interval) {
                ended++;
            }
            if (earlier == 0 || begins[earlier] > begins[earlier - 1]) {
                fullest = Math.max(fullest, ended - earlier);
            }
        }
        return fullest;
    }

    /** Returns how many grants of all keys began at {@code nanos} or later. */
    long since(long nanos) {
        return byKey.values().stream()
                .flatMap(List::stream)
                .filter(grant -> grant.begin() >= nanos)
                .count();
    }

    /**
     * Returns how many of the grants of a key that began at {@code from} or later and ended before {@code to} the
     * server does not have: it has them at {@code micros}, and each of these times can be that of one call around it.
     */
    long lost(int key, long from, long to, double[] micros) {
        List<Grant> grants = byKey.getOrDefault(key, List.of()).stream()
                .filter(grant -> grant.begin() >= from && grant.end() < to)
                .sorted(Comparator.comparingLong(Grant::begin))
                .toList();
        double[] times = micros.clone();
        Arrays.sort(times);
        PriorityQueue<Long> open = new PriorityQueue<>(); // the ends of calls that have begun
        int begun = 0;
        long lost = 0;
        for (double time : times) {
            while (begun < grants.size() && grants.get(begun).begin() / 1000 <= time) {
                open.add(grants.get(begun++).end());
            }
            while (!open.isEmpty() && open.element() / 1000 < time) {
                open.remove();
                lost++;
            }
            open.poll();
        }
        return lost + open.size() + grants.size() - begun;
    }

    int[] keys() {
        return byKey.keySet().stream().mapToInt(key -> key).toArray();
    }
}
