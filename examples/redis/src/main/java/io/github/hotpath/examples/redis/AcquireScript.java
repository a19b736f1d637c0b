package io.github.hotpath.examples.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script and the digest by which a server knows it.
 *
 * @param text what the server runs
 * @param digest the name of the text, by SHA-1
 */
record AcquireScript(String text, String digest) {
    /** The script of {@link RedisLimiter}, {@code acquire.lua}. */
    static final AcquireScript STANDARD = of(resource("acquire.lua"));

    static AcquireScript of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new AcquireScript(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Returns the text of a script of this package. */
    static String resource(String name) {
        try (InputStream in = AcquireScript.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": not beside the class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
