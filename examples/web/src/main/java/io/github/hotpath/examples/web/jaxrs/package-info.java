/**
 * Limits for JAX-RS: {@link RateLimitRequestFilter}.
 *
 * <p>Files: this package, web.
 *
 * <p>Dependencies: hotpath-core, jspecify, jakarta.ws.rs-api, jakarta.annotation-api, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web.jaxrs;

import org.jspecify.annotations.NullMarked;
