/**
 * Limits for servlets: {@link RateLimitFilter} for requests, {@link FailedLoginFilter} for log-ins.
 *
 * <p>Files: this package, web.
 *
 * <p>Dependencies: hotpath-core, jspecify, jakarta.servlet-api, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web.servlet;

import org.jspecify.annotations.NullMarked;
