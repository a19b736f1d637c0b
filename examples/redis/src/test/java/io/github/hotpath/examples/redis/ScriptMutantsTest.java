package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Calls.Weights;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every comparison and every one that is added or subtracted in the script, changed: a random call notices it. */
@Tag("redis")
@Timeout(600)
class ScriptMutantsTest {
    private static final Pattern CODE = Pattern.compile("( <= | < | > | >= | == | ~= | \\+ 1\\b| - 1\\b)|--.*");
    private static final Map<String, List<String>> MUTATIONS = Map.of(
            " <= ", List.of(" < "),
            " < ", List.of(" <= "),
            " > ", List.of(" >= "),
            " >= ", List.of(" > "),
            " == ", List.of(" ~= "),
            " ~= ", List.of(" == "),
            " + 1", List.of(" + 0", " + 2"),
            " - 1", List.of(" - 0", " - 2"));

    private record Mutant(String name, String script) {}

    @Test
    void answers_mutant_areWrong(@TempDir Path dir) throws Exception {
        List<Calls> calls = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            calls.add(new Calls(i, 300, Weights.values()[i % 3], 20));
        }
        Set<String> survivors = new TreeSet<>();
        try (ServerProcess server = new ServerProcess(dir.resolve("server"), ServerProcess.chosenProgram())) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                for (Mutant mutant : mutants(SameAnswersTest.withSmallConstants(AcquireScript.STANDARD.text()))) {
                    try (StatefulRedisConnection<String, String> connection = client.connect()) {
                        if (!isNoticed(connection, mutant, calls)) {
                            survivors.add(mutant.name);
                        }
                    } catch (TimeoutException e) { // the mutant does not end
                        server.kill();
                        server.restart();
                    }
                }
            } finally {
                client.shutdown();
            }
        }
        survivors.forEach(System.err::println);
        assertThat(survivors).isEmpty();
    }

    private static boolean isNoticed(StatefulRedisConnection<String, String> connection, Mutant mutant, List<Calls> all)
            throws Exception {
        AcquireScript script = AcquireScript.of(mutant.script);
        connection.sync().scriptLoad(script.text());
        for (Calls calls : all) {
            if (calls.firstWrong(connection, script, "mutant") != null) {
                return true;
            }
        }
        return false;
    }

    private static List<Mutant> mutants(String script) {
        List<Mutant> mutants = new ArrayList<>();
        Matcher matcher = CODE.matcher(script);
        while (matcher.find()) {
            if (matcher.group(1) == null) {
                continue; // a comment
            }
            for (String mutation : MUTATIONS.get(matcher.group(1))) {
                String mutated = script.substring(0, matcher.start()) + mutation + script.substring(matcher.end());
                int begin = script.lastIndexOf('\n', matcher.start()) + 1;
                int end = mutated.indexOf('\n', begin);
                mutants.add(
                        new Mutant(mutated.substring(begin, end).strip() + " @" + (matcher.start() - begin), mutated));
            }
        }
        return mutants;
    }
}
