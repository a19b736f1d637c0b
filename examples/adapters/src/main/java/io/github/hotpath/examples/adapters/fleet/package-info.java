/**
 * One limit over many replicas: {@link FleetLimits}.
 *
 * <p>Files: this package, web; examples/fleet.
 *
 * <p>Dependencies: hotpath-core, jspecify, and those of examples/fleet.
 */
@NullMarked
package io.github.hotpath.examples.adapters.fleet;

import org.jspecify.annotations.NullMarked;
