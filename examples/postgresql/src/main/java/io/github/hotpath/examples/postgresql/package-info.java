/** One exact limit on PostgreSQL: copy {@code PostgresLimits}. */
@NullMarked
package io.github.hotpath.examples.postgresql;

import org.jspecify.annotations.NullMarked;
