package io.github.hotpath.examples.fleet;

import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.descriptors.WireType;

/**
 * How what members send to each other is written: each as a version and its content. A limiter is in its compact form.
 * To be added to the configuration of each member.
 */
public final class FleetForms implements SerializationContextInitializer {
    private static final int VERSION = 1;
    private static final int FORM = WireType.makeTag(1, WireType.WIRETYPE_LENGTH_DELIMITED);

    // The numbers are free for any use, and short on the wire.
    private static final String SCHEMA = """
            syntax = "proto3";
            package hotpath.fleet;
            /** @TypeId(1600001) */
            message Attempt { bytes form = 1; }
            /** @TypeId(1600002) */
            message Limiter { bytes form = 1; }
            /** @TypeId(1600003) */
            message ReadClock { bytes form = 1; }
            """;

    /** Makes the forms. */
    public FleetForms() {}

    @Override
    public void registerSchema(SerializationContext context) {
        context.registerProtoFiles(FileDescriptorSource.fromString("hotpath-fleet.proto", SCHEMA));
    }

    @Override
    public void registerMarshallers(SerializationContext context) {
        context.registerMarshaller(
                new Form<>(Attempt.class, "Attempt", FleetForms::writeAttempt, FleetForms::readAttempt));
        context.registerMarshaller(new Form<>(
                SlidingWindowLimiter.class, "Limiter", SlidingWindowLimiter::writeTo, SlidingWindowLimiter::readFrom));
        context.registerMarshaller(new Form<>(
                ClockCheck.ReadClock.class,
                "ReadClock",
                (clock, out) -> out.writeUTF(clock.limit()),
                in -> new ClockCheck.ReadClock(in.readUTF())));
    }

    private static void writeAttempt(Attempt attempt, DataOutput out) throws IOException {
        out.writeLong(attempt.nanos());
        out.writeInt(attempt.permits());
        out.writeBoolean(attempt.granted());
        out.writeByte(attempt.limits().size());
        for (Limit limit : attempt.limits()) {
            out.writeLong(limit.permits());
            out.writeLong(limit.interval().toNanos());
            out.writeBoolean(limit.perCall());
        }
    }

    private static Attempt readAttempt(DataInput in) throws IOException {
        long nanos = in.readLong();
        int permits = in.readInt();
        boolean granted = in.readBoolean();
        List<Limit> limits = new ArrayList<>();
        for (int left = in.readUnsignedByte(); left > 0; left--) {
            limits.add(new Limit(in.readLong(), Duration.ofNanos(in.readLong()), in.readBoolean()));
        }
        return new Attempt(nanos, permits, limits, granted);
    }

    private interface Writer<T> {
        void write(T value, DataOutput out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInput in) throws IOException;
    }

    private record Form<T>(Class<T> type, String name, Writer<T> writer, Reader<T> reader)
            implements ProtobufTagMarshaller<T> {
        @Override
        public Class<T> getJavaClass() {
            return type;
        }

        @Override
        public String getTypeName() {
            return "hotpath.fleet." + name;
        }

        @Override
        public void write(WriteContext context, T value) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(VERSION);
            writer.write(value, new DataOutputStream(bytes));
            context.getWriter().writeBytes(1, bytes.toByteArray());
        }

        @Override
        public T read(ReadContext context) throws IOException {
            int tag = context.getReader().readTag();
            if (tag != FORM) {
                throw new StreamCorruptedException("tag: " + tag + " (expected: " + FORM + ")");
            }
            DataInput in = new DataInputStream(
                    new ByteArrayInputStream(context.getReader().readByteArray()));
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new StreamCorruptedException(
                        "version of " + name + ": " + version + " (expected: " + VERSION + ")");
            }
            T value = reader.read(in);
            context.getReader().checkLastTagWas(0);
            return value;
        }
    }
}
