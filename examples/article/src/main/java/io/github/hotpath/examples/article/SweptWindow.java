package io.github.hotpath.examples.article;

import java.util.ArrayDeque;
import java.util.Deque;

/** A window that reads all of its events every time, as the article's first program does. */
final class SweptWindow implements Window {
    private final Deque<Long> times = new ArrayDeque<>();

    @Override
    public long record(long nanos) {
        times.addLast(nanos);
        times.removeIf(time -> nanos - time > INTERVAL_NANOS);
        return times.size();
    }
}
