package io.github.hotpath.examples.web;

/**
 * Who makes a request: the keys by which it is counted.
 *
 * @param client the key of the client, which has a plan
 * @param tenant the key of the tenant, whose clients share a limit
 */
record Caller(String client, String tenant) {}
