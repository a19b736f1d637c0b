package io.github.hotpath.examples.web;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.net.HostAndPort;
import jakarta.servlet.ServletContainerInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** An embedded Tomcat on a free port of the loopback interface. */
final class WebServer implements AutoCloseable {
    private static final int ANY_FREE = 0;

    private final Path directory;
    private final Tomcat tomcat = new Tomcat();

    /** Starts to serve what {@code parts} register, filters in the order of the parts. */
    WebServer(ServletContainerInitializer... parts) throws IOException {
        directory = Files.createTempDirectory("hotpath-web-");
        try {
            tomcat.setBaseDir(directory.toString());
            tomcat.setPort(ANY_FREE);
            tomcat.getConnector().setProperty("address", host());
            tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1"); // any number on a connection, not 100
            Context context = tomcat.addContext("", directory.toString());
            for (ServletContainerInitializer part : parts) {
                context.addServletContainerInitializer(part, Set.of());
            }
            tomcat.start();
        } catch (LifecycleException e) {
            close();
            throw new IOException(e);
        }
    }

    private static String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    /** Returns the address of a path, which begins with a slash. */
    URI uri(String path) {
        return URI.create("http://" + HostAndPort.fromParts(host(), port()) + path);
    }

    @Override
    public void close() throws IOException {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IOException(e);
        } finally {
            MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
