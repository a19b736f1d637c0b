package io.github.hotpath.examples.replay;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The smallest limits under which no more than a share of the clients would be refused at all.
 *
 * @param alone for each interval, if it is the only limit
 * @param together for each interval, if all apply. Each refuses as many clients as the others; the fewer these are, the
 *     higher are the limits, until no more than the share is refused by one or more
 * @param refusedTogether how many of the clients are refused by one or more of {@code together}
 * @param clients all clients that were looked at
 */
record Suggestion(long[] alone, long[] together, long refusedTogether, long clients) {
    /**
     * Looks for limits.
     *
     * @param share of the clients that may be refused, from 0 to 1
     * @param busiest for each client, the permits in its busiest interval, for each interval; not empty
     */
    static Suggestion of(double share, List<long[]> busiest) {
        int intervals = busiest.get(0).length;
        long[][] ascending = new long[intervals][];
        for (int i = 0; i < intervals; i++) {
            int interval = i;
            ascending[i] = busiest.stream()
                    .mapToLong(client -> client[interval])
                    .sorted()
                    .toArray();
        }
        int allowed = (int) Math.min(Math.floor(share * busiest.size() * (1 + 1e-12)), busiest.size() - 1);
        int few = 0; // so many clients above each limit are together no more than allowed
        int tooMany = allowed + 1;
        while (few < tooMany - 1) {
            int each = (few + tooMany) >>> 1;
            if (refused(busiest, limits(ascending, each)) <= allowed) {
                few = each;
            } else {
                tooMany = each;
            }
        }
        long[] together = limits(ascending, few);
        return new Suggestion(limits(ascending, allowed), together, refused(busiest, together), busiest.size());
    }

    /** Returns the smallest limits above each of which are no more than so many clients. */
    private static long[] limits(long[][] ascending, int above) {
        return Arrays.stream(ascending)
                .mapToLong(values -> values[values.length - 1 - above])
                .toArray();
    }

    private static long refused(List<long[]> busiest, long[] limits) {
        return busiest.stream()
                .filter(client -> IntStream.range(0, limits.length).anyMatch(i -> client[i] > limits[i]))
                .count();
    }
}
