package io.github.hotpath.examples.replay;

import io.github.hotpath.limit.Limit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        return new Candidate(
                Stream.of(text.split(",", -1)).map(part -> limit(part.strip())).toList());
    }

    private static Limit limit(String text) {
        Matcher parts = LIMIT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no limit, such as 60/1m: permits, /, interval");
        }
        return Limit.of(Long.parseLong(parts.group(1)), Spans.parse(parts.group(2)));
    }

    @Override
    public String toString() {
        return limits.stream()
                .map(limit -> limit.max() + "/" + Spans.text(limit.interval()))
                .collect(Collectors.joining(","));
    }
}
