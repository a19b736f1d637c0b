package consumer;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.ConcurrentEventWindow;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Uses each public class, and prints its module. */
final class Consumer {
    private Consumer() {}

    public static void main(String[] args) throws IOException {
        EventWindow window = EventWindow.of(Duration.ofSeconds(1));
        ConcurrentEventWindow shared = ConcurrentEventWindow.of(Duration.ofSeconds(1));
        long now = System.nanoTime();
        shared.record(now);
        Path file = Path.of(args[0], "a", "b", "file");
        long size = Dirs.withParent(file, f -> Files.size(Files.writeString(f, "text")));

        System.out.printf(
                "Module %s on JDK %s: %d %d %d %d%n",
                Consumer.class.getModule().getName(),
                System.getProperty("java.specification.version"),
                window.record(now),
                shared.count(now),
                size,
                Dirs.entries(file.getParent()).size());
    }
}
