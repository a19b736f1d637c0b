/**
 * Limits in front of a server: {@link ServiceLimits} decides about a {@link Caller}, {@link ClientAddresses} finds the
 * address of one, and {@link Verdict} is what the client is told. The packages below put them in front of servlets,
 * Spring Boot, JAX-RS, WebFlux and gRPC; the module {@code adapters} puts limits on Redis or over a fleet in their place.
 *
 * <p>They may be copied, changed and used for any purpose, with or without a notice (0BSD). Each package names the files
 * and the libraries that it needs.
 *
 * <p>Files: this package.
 *
 * <p>Dependencies: hotpath-core, jspecify, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web;

import org.jspecify.annotations.NullMarked;
