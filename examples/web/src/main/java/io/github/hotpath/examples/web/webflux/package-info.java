/**
 * Limits for Spring WebFlux: {@link RateLimitWebFilter}.
 *
 * <p>Files: this package, web.
 *
 * <p>Dependencies: hotpath-core, jspecify, spring-web, spring-core, reactor-core, reactive-streams, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web.webflux;

import org.jspecify.annotations.NullMarked;
