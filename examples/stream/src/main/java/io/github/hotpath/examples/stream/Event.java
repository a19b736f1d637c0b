package io.github.hotpath.examples.stream;

/**
 * An event of the streams here.
 *
 * @param key what it is counted for
 * @param time when it happened, in milliseconds of the epoch
 */
public record Event(long key, long time) {}
