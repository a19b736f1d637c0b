package io.github.hotpath.examples.redis;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** How the grants of a key are stored. The scripts give the same answers. */
public enum Script {
    /** A sorted set: 100 to 130 bytes a grant, once there are more than 128. The script is the shorter one. */
    SORTED_SET("sorted_set.lua"),

    /** A list: 10 bytes a grant, or 25 if calls have several permits. */
    LIST("list.lua");

    private final String text;

    Script(String file) {
        try {
            text = Resources.toString(Resources.getResource(Script.class, file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return text;
    }
}
