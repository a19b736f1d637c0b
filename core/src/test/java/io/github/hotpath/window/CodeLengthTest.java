package io.github.hotpath.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long the code of the hot methods is: HotSpot decides by it what it compiles into what. */
class CodeLengthTest {
    /** HotSpot's FreqInlineSize: a longer method is never compiled into its caller. */
    private static final int LONGEST_INLINED = 325;

    /** If {@code add} were shorter, small windows would bring it into record, and that be too large for its callers. */
    @ParameterizedTest(name = "{1}: {2}")
    @CsvSource({"EventLog, add, false", "EventLog, tryAppend, true", "EventWindow, record, true"})
    void hotMethods_areInlinedOrNot(String type, String method, boolean inlined) {
        assertThat(codeLength(type, method) <= LONGEST_INLINED).isEqualTo(inlined);
    }

    /** Returns the offset of the last instruction of a method, as javap prints it. */
    private static int codeLength(String type, String method) {
        StringWriter out = new StringWriter();
        String file = EventLog.class.getResource(type + ".class").toString();
        ToolProvider.findFirst("javap").orElseThrow().run(new PrintWriter(out), new PrintWriter(out), "-c", "-p", file);
        String code = out.toString().split(" " + method + "\\(", 2)[1].split("\n\n", 2)[0];
        Matcher offsets = Pattern.compile("(?m)^ *([0-9]+): ").matcher(code);
        return offsets.results()
                .mapToInt(offset -> Integer.parseInt(offset.group(1)))
                .max()
                .orElseThrow();
    }
}
