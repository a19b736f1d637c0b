package io.github.hotpath.window;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;

/** Compact forms of windows, in memory. */
final class Bytes {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Bytes() {}

    static byte[] of(EventWindow window) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        window.writeTo(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** Returns the bytes that {@code hex} stands for, in which spaces mean nothing. */
    static byte[] of(String hex) {
        return HEX.parseHex(hex.replace(" ", ""));
    }

    static String hex(EventWindow window) throws IOException {
        return HEX.formatHex(of(window));
    }

    static EventWindow read(byte[] bytes) throws IOException {
        return EventWindow.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    /** Returns what is read when {@code window} was written. */
    static EventWindow copy(EventWindow window) throws IOException {
        return read(of(window));
    }
}
