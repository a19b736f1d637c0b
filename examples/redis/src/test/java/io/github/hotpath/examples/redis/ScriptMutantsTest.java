package io.github.hotpath.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hotpath.examples.redis.Calls.Weights;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
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

    /** What changes no answer, but the work, or the memory, or nothing at all. */
    private static final String[] SAME_ANSWERS = {
        // a grant or a limit that is found in two ways; a worse guess of the search
        "if d >= all then @8",
        "if free >= ready then @11",
        "if limit >= 0 then @10",
        "local x = now >= latest and now or latest @13",
        "middle = math.min(math.max(middle, low + 1), high - 0) @55",
        "middle = math.min(math.max(middle, low + 2), high - 1) @44",
        // an offset of nothing, a copy of nothing, and one of a byte that is not used or written again
        "if now <= latest then @8",
        "if capacity >= 0 then @13",
        "if first + n >= capacity then @16",
        "return from == to and '' or call('GETRANGE', key, HEADER + 8 * from, HEADER + 8 * to - 0) @88",
        // a look at the oldest grant that is not needed
        "if interval >= longest then @13",
        "local grows = count == capacity and capacity <= enough and (capacity == 0 or x - read(key, head) <= longest) @44",
        // functions that are not used, and sums that are stored or moved though they are not needed
        "if known >= 0 or permits > 1 then @8",
        "if known > 0 or permits >= 1 then @23",
        "if known >= 0 then @12",
        "local newRings, bytes, kept = permits >= 1 and 2 or rings, nil, nil @37",
        "plain = permits >= 1 and 0 or plain + 1 @17",
        "plain = permits > 1 and 0 or plain + 0 @36",
        "if plain > count then @10",
        "elseif head % STEP ~= 0 and since(known) > WRAP / 2 then @20",
        "elseif head % STEP == 0 and since(known) >= WRAP / 2 then @42",
        // the size of the value, and when it changes
        "while 8 * step <= bytes do @16",
        "elseif newRings == rings and x + longest >= ends then @40",
        "elseif rings ~= 2 and known == 0 and permits == 1 then @14",
        "if quarter >= 4 and x - read(key, (head - quarter) % capacity) > longest then @12",
        "kept = math.min(count, quarter - 0) @34",
        "if x + longest >= ends then @14"
    };

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
            client.setOptions(ClientOptions.builder()
                    .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                    .build());
            try {
                for (Mutant mutant : mutants(SameAnswersTest.withSmallConstants(AcquireScript.STANDARD.text()))) {
                    try (StatefulRedisConnection<String, String> connection = connect(client, server)) {
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
        assertThat(survivors).containsExactlyInAnyOrder(SAME_ANSWERS);
    }

    /** Connects to the server, which is started again if it does not answer: the mutant before is to blame for that. */
    private static StatefulRedisConnection<String, String> connect(RedisClient client, ServerProcess server)
            throws Exception {
        try {
            return client.connect();
        } catch (RedisConnectionException e) {
            server.kill();
            server.restart();
            return client.connect();
        }
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
        Set<String> names = new HashSet<>();
        Matcher matcher = CODE.matcher(script);
        while (matcher.find()) {
            if (matcher.group(1) == null) {
                continue; // a comment
            }
            for (String mutation : MUTATIONS.get(matcher.group(1))) {
                String mutated = script.substring(0, matcher.start()) + mutation + script.substring(matcher.end());
                int begin = script.lastIndexOf('\n', matcher.start()) + 1;
                String line = mutated.substring(begin, mutated.indexOf('\n', begin));
                String name = line.replaceFirst(" -- .*", "").strip() + " @" + (matcher.start() - begin);
                mutants.add(new Mutant(names.add(name) ? name : name + ", again", mutated));
            }
        }
        return mutants;
    }
}
