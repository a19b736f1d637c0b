package io.github.hotpath.examples.redis;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What attempts came to, and every grant. For one thread. */
final class Report {
    private final List<Grant> grants = new ArrayList<>();
    private long refused;
    private long refusedLocally;
    private long unknown;
    private long notMade;
    private long longestNanos;

    /** A grant of one permit, by a call that began and ended at those times, in nanoseconds of the wall clock. */
    record Grant(int key, long begin, long end) {}

    void addGrant(int key, long begin, long end) {
        grants.add(new Grant(key, begin, end));
    }

    /** Adds a refusal, by the server or without it. */
    void addRefusal() {
        refused++;
    }

    void addUnknown() {
        unknown++;
    }

    void addNotMade() {
        notMade++;
    }

    void addDuration(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
    }

    void setRefusedLocally(long number) {
        refusedLocally = number;
    }

    void add(Report other) {
        grants.addAll(other.grants);
        refused += other.refused;
        refusedLocally += other.refusedLocally;
        unknown += other.unknown;
        notMade += other.notMade;
        addDuration(other.longestNanos);
    }

    void writeTo(DataOutputStream out) throws IOException {
        for (long number : new long[] {refused, refusedLocally, unknown, notMade, longestNanos, grants.size()}) {
            out.writeLong(number);
        }
        for (Grant grant : grants) {
            out.writeInt(grant.key);
            out.writeLong(grant.begin);
            out.writeLong(grant.end);
        }
    }

    static Report readFrom(DataInputStream in) throws IOException {
        Report report = new Report();
        report.refused = in.readLong();
        report.refusedLocally = in.readLong();
        report.unknown = in.readLong();
        report.notMade = in.readLong();
        report.longestNanos = in.readLong();
        for (long left = in.readLong(); left > 0; left--) {
            report.addGrant(in.readInt(), in.readLong(), in.readLong());
        }
        return report;
    }

    List<Grant> grants() {
        return grants;
    }

    /** {@return the attempts that were made} */
    long attempts() {
        return grants.size() + refused + unknown;
    }

    long refusedByServer() {
        return refused - refusedLocally;
    }

    long refusedLocally() {
        return refusedLocally;
    }

    long unknown() {
        return unknown;
    }

    /** {@return the attempts that could not be made, for want of a server} */
    long notMade() {
        return notMade;
    }

    long longestNanos() {
        return longestNanos;
    }
}
