package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Limits that are tried on a log, and apply to each client together: {@code 60/1m,1000/1h}.
 *
 * @param limits one or more
 */
record Candidate(List<Limit> limits) {
    private static final Pattern LIMIT = Pattern.compile("(\\d{1,18})/(.*)");

    /**
     * Reads limits, separated by commas.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    static Candidate parse(String text) {
        List<Limit> limits = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            limits.add(limit(part.strip()));
        }
        if (limits.stream().map(Limit::interval).distinct().count() < limits.size()) {
            throw new IllegalArgumentException("two limits of one interval");
        }
        return new Candidate(List.copyOf(limits));
    }

    private static Limit limit(String text) {
        Matcher parts = LIMIT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no limit, such as 60/1m: permits, /, interval");
        }
        long permits = Long.parseLong(parts.group(1));
        Limit limit = Limit.of(Math.max(permits, 1), Spans.parse(parts.group(2)));
        if (permits < 1 || permits > limit.interval().toNanos()) { // Bucket4j's rule, and no limit in use is beyond
            throw new IllegalArgumentException("'" + text + "': permits from 1 to one each nanosecond");
        }
        return limit;
    }

    static String text(Limit limit) {
        return limit.max() + "/" + Spans.text(limit.interval());
    }

    @Override
    public String toString() {
        return limits.stream().map(Candidate::text).collect(Collectors.joining(","));
    }
}
