/**
 * One exact limit over many replicas of a service, by consensus: Apache Ratis, an implementation of Raft.
 *
 * <p>A service needs {@link FleetMembers}, {@link FleetMember} and {@link FleetLimiter}, with
 * {@link OutcomeUnknownException}. To copy: all but the classes of the programs here, which are {@link Clients},
 * {@link Fleet}, {@link GrantLog}, {@link LimitFleet}, {@link MeasureFleet}, {@link MemberProgram} and {@link Replica}.
 */
@NullMarked
package io.github.hotpath.examples.fleet;

import org.jspecify.annotations.NullMarked;
