package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long the code of the hot methods is: HotSpot decides by it what it compiles into what. */
class CodeLengthTest {
    /** HotSpot's FreqInlineSize: a longer method is never compiled into its caller. */
    private static final int LONGEST_INLINED = 325;

    /** If it were shorter, small windows would bring it into record, and record be too large for its own callers. */
    @Test
    void add_isTooLongToBeInlined() throws IOException {
        assertThat(codeLengths(EventLog.class).get("add")).isGreaterThan(LONGEST_INLINED);
    }

    @Test
    void recordAndSlide_areShortEnoughToBeInlined() throws IOException {
        assertThat(codeLengths(EventLog.class).get("tryAppend")).isLessThan(LONGEST_INLINED);
        assertThat(codeLengths(EventWindow.class).get("record")).isLessThan(LONGEST_INLINED);
    }

    /** Reads the class file, chapter 4 of the JVM specification, as far as its methods. */
    private static Map<String, Integer> codeLengths(Class<?> type) throws IOException {
        Map<String, Integer> lengths = new HashMap<>();
        try (InputStream file = type.getResourceAsStream(type.getSimpleName() + ".class");
                DataInputStream in = new DataInputStream(file)) {
            in.skipNBytes(8);
            String[] names = constants(in);
            in.skipNBytes(6);
            in.skipNBytes(2 * in.readUnsignedShort());
            members(in, names, new HashMap<>());
            members(in, names, lengths);
        }
        return lengths;
    }

    private static String[] constants(DataInputStream in) throws IOException {
        String[] names = new String[in.readUnsignedShort()];
        for (int i = 1; i < names.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> names[i] = in.readUTF();
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++; // a long or a double counts twice
                }
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> in.skipNBytes(4);
            }
        }
        return names;
    }

    private static void members(DataInputStream in, String[] names, Map<String, Integer> codeLengths)
            throws IOException {
        for (int members = in.readUnsignedShort(); members > 0; members--) {
            in.skipNBytes(2);
            String member = names[in.readUnsignedShort()];
            in.skipNBytes(2);
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                String attribute = names[in.readUnsignedShort()];
                byte[] content = in.readNBytes(in.readInt());
                if (attribute.equals("Code")) {
                    codeLengths.put(member, new DataInputStream(new ByteArrayInputStream(content, 4, 4)).readInt());
                }
            }
        }
    }
}
