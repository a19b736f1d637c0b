/**
 * Limits in front of a server: {@link io.github.hotpath.examples.web.RateLimitFilter} for HTTP, {@link
 * io.github.hotpath.examples.web.FailedLoginFilter} for log-ins, and {@link
 * io.github.hotpath.examples.web.RateLimitInterceptor} for gRPC; {@link io.github.hotpath.examples.web.LimitWeb} is the
 * program that shows them.
 */
package io.github.hotpath.examples.web;
