package io.github.hotpath.examples.web;

/** What a client has bought. */
enum Plan {
    FREE,
    PRO
}
