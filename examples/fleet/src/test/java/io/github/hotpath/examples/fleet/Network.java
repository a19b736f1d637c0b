package io.github.hotpath.examples.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network of its own for each member, on a bridge in another one, that can be broken. It is removed when it is
 * closed, or when this JVM ends.
 */
final class Network implements AutoCloseable {
    private static final String PREFIX = "hp-fleet-";

    private final String name = PREFIX + ProcessHandle.current().pid() + '-';
    private final int size;
    private final Thread removal = new Thread(this::remove);

    Network(int size) throws IOException, InterruptedException {
        this.size = size;
        removeLeft();
        Runtime.getRuntime().addShutdownHook(removal);
        try {
            run("ip", "netns", "add", bridge());
            run("ip", "-n", bridge(), "link", "add", "br0", "type", "bridge");
            run("ip", "-n", bridge(), "link", "set", "br0", "up");
            for (int member = 0; member < size; member++) {
                plug(member);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void plug(int member) throws IOException, InterruptedException {
        String port = "port" + member;
        run("ip", "netns", "add", space(member));
        run("ip", "-n", space(member), "link", "set", "lo", "up");
        run("ip", "-n", bridge(), "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space(member));
        run("ip", "-n", bridge(), "link", "set", port, "master", "br0", "up");
        run("ip", "-n", space(member), "addr", "add", host(member) + "/24", "dev", "eth0");
        run("ip", "-n", space(member), "link", "set", "eth0", "up");
    }

    /** Returns why there can be no such network here, or null. */
    static @Nullable String missing() throws IOException, InterruptedException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status) || !"root".equals(System.getProperty("user.name"))) {
            return "network namespaces need root on Linux";
        }
        for (String tool : new String[] {"ip", "iptables"}) {
            if (!found(tool)) {
                return tool + " is not installed";
            }
        }
        try (Network tried = new Network(2)) {
            tried.cut(0, 1);
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    private static boolean found(String tool) {
        return List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin").stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    }

    private String bridge() {
        return name + "bridge";
    }

    private String space(int member) {
        return name + member;
    }

    static String host(int member) {
        return "10.203.0." + (member + 1);
    }

    /** Returns what comes before a command, so that it runs in the network of a member. */
    List<String> prefix(int member) {
        return List.of("ip", "netns", "exec", space(member));
    }

    /** Drops what one sends to the other. */
    void cut(int from, int to) throws IOException, InterruptedException {
        filter(to, "-I", "INPUT", "-s", host(from), "-j", "DROP");
    }

    /** Drops what members of one part and of the other send to each other. */
    void part(Set<Integer> some) throws IOException, InterruptedException {
        for (int one : some) {
            for (int other = 0; other < size; other++) {
                if (!some.contains(other)) {
                    cut(one, other);
                    cut(other, one);
                }
            }
        }
    }

    /** Drops a share of what a member receives. */
    void lose(int member, double share) throws IOException, InterruptedException {
        filter(
                member,
                "-I",
                "INPUT",
                "-i",
                "eth0",
                "-m",
                "statistic",
                "--mode",
                "random",
                "--probability",
                Double.toString(share),
                "-j",
                "DROP");
    }

    /** Pulls the cable of a member, or plugs it. */
    void cable(int member, boolean plugged) throws IOException, InterruptedException {
        run("ip", "-n", bridge(), "link", "set", "port" + member, plugged ? "up" : "down");
    }

    /** Mends all of it. */
    void heal() throws IOException, InterruptedException {
        for (int member = 0; member < size; member++) {
            filter(member, "-F", "INPUT");
            cable(member, true);
        }
    }

    private void filter(int member, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix(member));
        command.addAll(List.of("iptables", "-w"));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + output.strip());
        }
        return output;
    }

    /** Removes what a JVM that was killed has left. */
    private static void removeLeft() throws IOException, InterruptedException {
        for (String line : run("ip", "netns", "list").split("\n")) {
            if (line.startsWith(PREFIX)) {
                String space = line.split(" ")[0];
                long pid = Long.parseLong(space.split("-")[2]);
                if (ProcessHandle.of(pid).isEmpty()) {
                    removeIfThere(space);
                }
            }
        }
    }

    private static void removeIfThere(String space) {
        try {
            run("ip", "netns", "delete", space);
        } catch (IOException | IllegalStateException e) {
            // it was not, or another JVM has just removed it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void remove() {
        for (int member = 0; member <= size; member++) {
            removeIfThere(member == size ? bridge() : space(member));
        }
    }

    @Override
    public void close() {
        remove();
        Runtime.getRuntime().removeShutdownHook(removal);
    }
}
