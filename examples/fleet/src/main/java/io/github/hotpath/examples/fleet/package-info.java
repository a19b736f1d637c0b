/**
 * One exact limit over many replicas of a service, on Infinispan.
 *
 * <p>To copy: {@link FleetLimiter} with the classes that it uses: {@link Attempt}, {@link FleetForms},
 * {@link Refusals}, {@link ClockCheck}, {@link OutcomeUnknownException} and {@link ClockSkewException}; and
 * {@link FleetMembers}, which configures a member.
 */
@NullMarked
package io.github.hotpath.examples.fleet;

import org.jspecify.annotations.NullMarked;
