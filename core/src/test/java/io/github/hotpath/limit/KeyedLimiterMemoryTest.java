package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.internal.Arguments;
import io.github.hotpath.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a live key takes, with all that is kept for it, in a JVM of its own. */
@Tag("slow")
class KeyedLimiterMemoryTest {
    @TempDir
    Path temp;

    /** The numbers of keys are those at which the table of the map has just doubled, which is its worst. */
    @ParameterizedTest
    @CsvSource({"100000, 1, 450", "100000, 2, 500", "200000, 1, 450"})
    void liveKey_withThreePermits_takesAtMost(int keys, int limits, long most)
            throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp, KeyedLimiter.class, Arguments.class, KeyedLimiterMemoryTest.class)
                .run(
                        KeyedMemoryProgram.class,
                        List.of("-XX:+UseSerialGC", "-Xmx256m"),
                        String.valueOf(keys),
                        String.valueOf(limits));

        assertThat(Long.parseLong(printed.get(0))).isBetween(100L, most);
        assertThat(printed.get(1)).isEqualTo(String.valueOf(keys));
    }

    /**
     * Where the calls of a program are compiled by themselves: no object is made for the view of a key. They wait for
     * the compiler, which on a busy machine may be late.
     */
    @Test
    void tryAcquireAndOrDelay_ofBusyKeys_allocateNothing() throws IOException, InterruptedException {
        List<String> printed = new ChildJvm(temp, KeyedLimiter.class, Arguments.class, KeyedLimiterMemoryTest.class)
                .run(KeyedAllocationProgram.class, List.of("-XX:+UseSerialGC", "-Xbatch"));

        assertThat(Long.parseLong(printed.get(0))).isLessThan(2_048); // of two million calls
    }
}
