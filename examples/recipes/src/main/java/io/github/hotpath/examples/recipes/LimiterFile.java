package io.github.hotpath.examples.recipes;

import io.github.hotpath.limit.KeyedLimiter;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import java.io.DataInput;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A file in which the limit of all clients, and what each of them has used of its own, survive a restart. It is
 * written while the limiters serve, by one thread at a time.
 *
 * <p>What is granted after a writing has begun may be missing in it. So write again and again: if the process is
 * killed, a client can be granted once more what it was granted since the last writing began, and no more than that.
 */
final class LimiterFile {
    private final RestartFile file;

    /** Takes the clock that the limiters' times come from, and one that continues while no JVM runs. */
    LimiterFile(DurableFile file, LongSupplier nanoClock, InstantSource wallClock) {
        this.file = new RestartFile(file, nanoClock, wallClock);
    }

    /**
     * Writes both limiters. After any failure the file is the old one or the new one, and whole. It fails as long as
     * there is a client whose name takes more than 65,535 bytes in UTF-8: accept no such name.
     */
    void write(SlidingWindowLimiter all, KeyedLimiter<String> each) throws IOException {
        file.write(file.snapshot(out -> {
            all.writeTo(out);
            each.writeTo(out, (client, keyOut) -> keyOut.writeUTF(client));
        }));
    }

    /**
     * Reads both limiters: that of all clients with the limits that it was written with, and those of the clients with
     * the limit {@code each}.
     *
     * @throws java.nio.file.NoSuchFileException if there is no file
     * @throws RestartFile.DamagedException if the file is not as it was written: only then is it of no use
     * @throws IOException if the file cannot be read, or is of the future: see {@link RestartFile#read}
     */
    Limiters read(Limit each) throws IOException {
        List<Limit> limits = List.of(each);
        return file.read((in, shiftNanos) -> new Limiters(
                SlidingWindowLimiter.readFrom(in, shiftNanos),
                KeyedLimiter.readFrom(in, DataInput::readUTF, shiftNanos, client -> limits)));
    }

    /** The limiter of all clients, and those of each. */
    record Limiters(SlidingWindowLimiter all, KeyedLimiter<String> each) {}
}
