package io.github.hotpath.examples.stream;

/**
 * The number of events of a key in a sliding window.
 *
 * @param key what the events have in common
 * @param end of the window, in milliseconds of the epoch: an event at this time is no longer in it
 * @param count how many events are in it, at least 1
 * @param <K> the type of the key
 */
public record Count<K>(K key, long end, long count) {}
