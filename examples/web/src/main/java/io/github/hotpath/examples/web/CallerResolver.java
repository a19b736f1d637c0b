package io.github.hotpath.examples.web;

/**
 * Decides which client a request belongs to. Nothing else does: to count by API keys, by other prefixes or by tenants
 * of your own, replace it.
 */
@FunctionalInterface
interface CallerResolver {
    /** Returns the keys of a request, for which it must not trust what any client can declare. */
    Caller callerOf(Origin origin);
}
