package io.github.hotpath.examples.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;

/**
 * A Tomcat on the loopback interface, with filters for all dispatches. It takes user and address from {@code X-User} and
 * {@code X-Address}.
 */
final class TestServer implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final Context context;
    private final HttpClient http = HttpClient.newHttpClient();

    interface Servlet {
        void serve(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    TestServer(Path directory, Filter filter) throws LifecycleException {
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        context = tomcat.addContext("", directory.toString());
        add("authentication", new Authentication());
        add("tested", filter);
        serve("/", (request, response) -> response.getOutputStream().print("welcome"));
        tomcat.start();
    }

    private void add(String name, Filter filter) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(name);
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName(name);
        map.addURLPattern("/*");
        EnumSet.allOf(DispatcherType.class).forEach(type -> map.setDispatcher(type.name()));
        context.addFilterMap(map);
    }

    void serve(String path, Servlet servlet) {
        Wrapper wrapper = Tomcat.addServlet(context, path, new Delegate(servlet));
        wrapper.setAsyncSupported(true);
        wrapper.addMapping(path);
    }

    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofMinutes(10));
    }

    CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** Sends a request of a user, or of nobody, from an address. */
    HttpResponse<String> get(String path, @Nullable String user, String address) {
        HttpRequest.Builder request = request(path).header("X-Address", address);
        return send(user == null ? request : request.header("X-User", user)).join();
    }

    /** Waits for what is in progress. */
    void stop() throws LifecycleException {
        tomcat.stop();
    }

    @Override
    public void close() throws LifecycleException {
        stop();
        tomcat.destroy();
    }

    private static final class Delegate extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Servlet servlet;

        Delegate(Servlet servlet) {
            this.servlet = servlet;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            servlet.serve(request, response);
        }
    }

    private static final class Authentication implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String user = ((HttpServletRequest) request).getHeader("X-User");
            chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public @Nullable String getRemoteUser() {
                            return user;
                        }

                        @Override
                        public @Nullable String getRemoteAddr() {
                            return getHeader("X-Address");
                        }
                    },
                    response);
        }
    }
}
