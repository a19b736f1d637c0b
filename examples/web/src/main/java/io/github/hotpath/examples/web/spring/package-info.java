/**
 * Limits for Spring Boot with servlets: {@link RateLimitConfiguration} and its properties. {@link LimitWeb} is an
 * application that uses them, and need not be copied: it also needs picocli, Guava and examples/support.
 *
 * <p>Files: this package, web, servlet, metrics.
 *
 * <p>Dependencies: hotpath-core, jspecify, ipaddress, spring-boot-starter-webmvc, spring-boot-starter-actuator.
 */
@NullMarked
package io.github.hotpath.examples.web.spring;

import org.jspecify.annotations.NullMarked;
