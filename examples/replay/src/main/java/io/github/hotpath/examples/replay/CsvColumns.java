package io.github.hotpath.examples.replay;

/**
 * Which columns of CSV have what, from 1.
 *
 * @param permits may be missing in a line, and is 0 if no column has them
 */
record CsvColumns(int time, int key, int permits) {}
