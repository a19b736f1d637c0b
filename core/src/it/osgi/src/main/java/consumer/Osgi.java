package consumer;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.limit.Limit;
import io.github.hotpath.limit.SlidingWindowLimiter;
import io.github.hotpath.window.EventWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** A bundle that uses each package, and a program that starts it in the framework of the class path. */
public final class Osgi implements BundleActivator {
    /** The arguments are the jar of this class, and a directory for the framework. */
    public static void main(String[] args) throws Exception {
        Path jar = Path.of(EventWindow.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Framework framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(Constants.FRAMEWORK_STORAGE, args[1]));
        framework.start();
        try {
            BundleContext context = framework.getBundleContext();
            Bundle library = context.installBundle(jar.toUri().toString());
            context.installBundle(Path.of(args[0]).toUri().toString()).start();
            if (library.getState() == Bundle.RESOLVED) {
                System.out.println(library.getSymbolicName() + " is resolved");
            }
        } finally {
            framework.stop();
            framework.waitForStop(0);
        }
    }

    @Override
    public void start(BundleContext context) throws Exception {
        Dirs.ensure(context.getDataFile("a").toPath().resolve("b"));
        long now = System.nanoTime();
        System.out.printf(
                "%d %b by %s%n",
                EventWindow.of(Duration.ofSeconds(1)).record(now),
                SlidingWindowLimiter.of(Limit.of(1, Duration.ofSeconds(1))).tryAcquire(now, 1),
                FrameworkUtil.getBundle(EventWindow.class).getSymbolicName());
    }

    @Override
    public void stop(BundleContext context) {}
}
