package io.github.hotpath.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.files.ChildJvm;
import io.github.hotpath.internal.Arguments;
import io.github.hotpath.window.Seed;
import io.github.hotpath.window.Watchdog;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that name the same limiters in every order end, and what they acquire counts once in each. */
@Timeout(120)
class JointOrdersTest {
    private static final int CALLS = 20_000;

    @TempDir
    static Path temp;

    @Test
    void calls_namedInEveryOrder_endAndCountOnce() {
        JointOrdersProgram.run(CALLS);
    }

    /** Locks are acquired in the order of identity hash codes, so limiters with the same one need another rule. */
    @Test
    @Tag("slow")
    void calls_namedInEveryOrderWithEqualHashes_endAndCountOnce() throws Exception {
        ChildJvm jvm = new ChildJvm(
                temp, SlidingWindowLimiter.class, JointOrdersProgram.class, Arguments.class, Watchdog.class);

        List<String> printed = jvm.run(
                JointOrdersProgram.class,
                List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", Seed.option()),
                String.valueOf(CALLS));

        assertThat(printed).containsExactly("true");
    }
}
