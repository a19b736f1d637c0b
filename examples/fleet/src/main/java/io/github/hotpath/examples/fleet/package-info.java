/**
 * One exact limit over many replicas of a service, by consensus: Apache Ratis, an implementation of Raft.
 *
 * <p>A service needs {@link FleetMembers}, {@link FleetMember} and {@link FleetLimiter}, with
 * {@link OutcomeUnknownException}. To copy: these and the classes that they use, up to {@link Wire}.
 */
@NullMarked
package io.github.hotpath.examples.fleet;

import org.jspecify.annotations.NullMarked;
