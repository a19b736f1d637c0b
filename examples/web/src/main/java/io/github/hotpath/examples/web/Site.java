package io.github.hotpath.examples.web;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** What is served, without any limit: a greeting, and at {@code /login} a token for a name and a password. */
final class Site implements ServletContainerInitializer {
    static final String LOGIN = "/login";

    private final Accounts accounts;

    Site(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) {
        context.addServlet("greeting", new Greeting()).addMapping("/");
        context.addServlet("login", new LogIn(accounts)).addMapping(LOGIN);
    }

    private static void send(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain;charset=UTF-8");
        response.setContentLength(text.length());
        response.getOutputStream().print(text);
    }

    private static final class Greeting extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            send(response, HttpServletResponse.SC_OK, "welcome\n");
        }
    }

    private static final class LogIn extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Accounts accounts;

        LogIn(Accounts accounts) {
            this.accounts = accounts;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Optional<String> token = accounts.logIn(
                    String.valueOf(request.getParameter("user")), String.valueOf(request.getParameter("password")));
            if (token.isPresent()) {
                send(response, HttpServletResponse.SC_OK, token.get());
            } else {
                send(response, HttpServletResponse.SC_UNAUTHORIZED, "wrong name or password\n");
            }
        }
    }
}
