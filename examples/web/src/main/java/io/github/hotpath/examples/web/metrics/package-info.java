/**
 * Limits with meters: {@link MeteredLimits}.
 *
 * <p>Files: this package, web.
 *
 * <p>Dependencies: hotpath-core, jspecify, micrometer-core, ipaddress.
 */
@NullMarked
package io.github.hotpath.examples.web.metrics;

import org.jspecify.annotations.NullMarked;
