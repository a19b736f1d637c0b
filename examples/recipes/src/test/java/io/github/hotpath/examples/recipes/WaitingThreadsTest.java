package io.github.hotpath.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

class WaitingThreadsTest {
    @Test
    void start_anyJdk_virtualWhereThereAre() throws Exception {
        ExecutorService threads = WaitingThreads.start();
        Thread thread = threads.submit(Thread::currentThread).get();
        threads.shutdown();

        boolean virtual = Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        assertThat(virtual).isEqualTo(Runtime.version().feature() >= 21);
    }
}
