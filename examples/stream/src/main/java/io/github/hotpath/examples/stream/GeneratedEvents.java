package io.github.hotpath.examples.stream;

import java.io.Serializable;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.util.function.SerializableFunction;

/**
 * A stream of events that are numbered from 0, and of watermarks between them. All of them follow from the numbers, so
 * that after a restart the same ones come again, and each result is known.
 *
 * <p>Events come out of order by up to two seconds, which the watermarks allow for. One in a hundred comes later still.
 * One in five thousand is up to a minute and a half ahead of the others. Of the keys, half have events all the time,
 * and the other half in turns, so that each of these is idle for some minutes.
 *
 * @param events how many there are
 * @param keys how many keys there are
 * @param perSecond how many events there are in a second of event time
 * @param latenessMillis how far behind the watermark the late events are, at most; 0 for no late events
 * @param hotPercent so many events in a hundred have the key 0, and the others any
 */
public record GeneratedEvents(long events, int keys, int perSecond, long latenessMillis, int hotPercent)
        implements Serializable {
    /** Out of order by less than this. */
    static final long OUT_OF_ORDER_MILLIS = 2_000;

    /** So many events are between two watermarks. */
    static final int EVENTS_PER_WATERMARK = 500;

    private static final long START = 1_763_640_000_000L;
    private static final long AHEAD_MILLIS = 90_000;

    /** For so long the keys that take turns have events. */
    private static final long TURN_MILLIS = 50_000;

    private static final int TURNS = 4;

    /** Makes a stream without a hot key. */
    public GeneratedEvents(long events, int keys, int perSecond, long latenessMillis) {
        this(events, keys, perSecond, latenessMillis, 0);
    }

    /** Returns the event of that number. */
    public Event event(long number) {
        long random = random(number);
        return new Event(key(number, random >>> 40), time(number, random));
    }

    private long key(long number, long random) {
        if (hotPercent > 0 && random(number + 3) % 100 < hotPercent) {
            return 0;
        }
        long always = (keys + 1) / 2;
        long key = random % keys;
        if (key < always) {
            return key;
        }
        long turn = untilNow(number) / TURN_MILLIS % TURNS;
        long inTurns = keys - always;
        return always + (key - always) / TURNS + turn * inTurns / TURNS;
    }

    private long time(long number, long random) {
        long time = base(number) - random % OUT_OF_ORDER_MILLIS;
        if (latenessMillis > 0 && random(number + 1) % 100 == 0) {
            return base(number) - OUT_OF_ORDER_MILLIS - random % latenessMillis;
        }
        return random(number + 2) % 5_000 == 0 ? time + random % AHEAD_MILLIS : time;
    }

    /** Returns the latest time that an event of that number can have, but for one that is ahead. */
    private long base(long number) {
        return START + untilNow(number);
    }

    private long untilNow(long number) {
        return number * 1_000 / perSecond;
    }

    /**
     * Returns the watermark after the event of that number: none of the next ones is earlier, but for the late ones.
     */
    public long watermark(long number) {
        return base(number) - OUT_OF_ORDER_MILLIS;
    }

    /** Whether a watermark comes after the event of that number. */
    public boolean hasWatermark(long number) {
        return number % EVENTS_PER_WATERMARK == EVENTS_PER_WATERMARK - 1;
    }

    /** Returns the numbers of all events. */
    public LongStream numbers() {
        return LongStream.range(0, events);
    }

    /**
     * Returns the times and watermarks of a stream.
     *
     * @param number returns the number of an element's event
     */
    public <T> WatermarkStrategy<T> watermarks(SerializableFunction<T, Long> number) {
        return WatermarkStrategy.<T>forGenerator(context -> new Watermarks<>(this, number))
                .withTimestampAssigner(
                        (element, time) -> event(number.apply(element)).time());
    }

    /** A number from 0 that looks random and is always the same: the finalizer of SplitMix64. */
    private static long random(long number) {
        long mixed = number * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return (mixed ^ mixed >>> 31) >>> 1;
    }

    private record Watermarks<T>(GeneratedEvents events, SerializableFunction<T, Long> numberOf)
            implements WatermarkGenerator<T> {
        @Override
        public void onEvent(T element, long time, WatermarkOutput output) {
            long number = numberOf.apply(element);
            if (events.hasWatermark(number)) {
                output.emitWatermark(new Watermark(events.watermark(number)));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {
            // those of onEvent are all: they do not depend on when they are requested
        }
    }
}
