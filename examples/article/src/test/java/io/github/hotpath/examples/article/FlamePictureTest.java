package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FlamePictureTest {
    private static final Pattern BOX =
            Pattern.compile("<rect x=\"([\\d.]+)\" y=\"-(\\d+)\" width=\"([\\d.]+)\" height=\"21\" fill=\"(#\\w+)\"/>");
    private static final double WHOLE = 980;

    @Test
    void of_recorded_sharesAreThoseOfTheTable() {
        StageProfile profile = Recorded.profiles().get(Stage.ORIGINAL);

        assertThat(picture(Stage.ORIGINAL))
                .contains(
                        ">100.0 % Loop.run<",
                        ">" + profile.share(Part.REMOVE_IF) + " ArrayDeque.removeIf<",
                        ">" + profile.share(Part.CREATE_DIRECTORIES) + " createDirectories<");
    }

    @Test
    void of_boxes_areAsWideAsTheirShares() {
        List<MatchResult> boxes = boxes(picture(Stage.ORIGINAL));

        assertThat(boxes.stream().filter(box -> level(box) == 1).mapToDouble(FlamePictureTest::width))
                .containsExactly(WHOLE * 160 / 200, WHOLE * 40 / 200); // SweptWindow.record, createDirectories
        assertThat(boxes).allSatisfy(box -> {
            assertThat(Double.parseDouble(box.group(1))).isGreaterThanOrEqualTo(10);
            assertThat(Double.parseDouble(box.group(1)) + width(box)).isLessThan(10 + WHOLE + 0.2);
        });
    }

    @Test
    void of_framesOutsideTheLoop_areCropped() {
        assertThat(picture(Stage.HOTPATH))
                .contains("100.0 % Dirs.ensure")
                .doesNotContain("RepeatedStage", "Repository", "mkdir0");
        assertThat(picture(Stage.TRIMMED)).doesNotContain("Compile::Compile");
    }

    @Test
    void of_methodCompiledInTwoWays_isOneBox() {
        String svg = of("java/A.a_[j] 60\n" + Recorded.LOOP + "java/A.a_[i] 40\n");

        assertThat(svg).contains(">100.0 % A.a<");
        assertThat(boxes(svg)).hasSize(2);
    }

    @Test
    void of_kindOfCode_isTheColour() {
        String svg = of("java/A.a_[j];native_call;Jvm::call;system_call_[k] 10\n");

        assertThat(boxes(svg).stream().map(box -> box.group(4)))
                .containsExactly("#8fd694", "#8fd694", "#f29a9a", "#e6dc6a", "#f5ae55");
        assertThat(svg).contains(">Java<", ">native code<", ">the JVM<", ">the kernel<");
    }

    @Test
    void of_narrowBox_hasItsShareButNoMoreOfItsNameThanFits() {
        String svg = of("java/A.aMethodWithALongName_[j] 10\n" + Recorded.LOOP + "java/B.b_[j] 988\n" + Recorded.LOOP
                + "java/C.c_[j] 2\n");

        assertThat(svg).contains(">98.8 % B.b<").doesNotContain("aMethod", "C.c");
        assertThat(boxes(svg)).hasSize(3);
    }

    @Test
    void of_deepStack_isCroppedAndCutNames() {
        String svg =
                of("java/A.a;".repeat(40) + "java/A.top 10\n" + Recorded.LOOP + "java/" + "Long".repeat(99) + " 10\n");

        assertThat(boxes(svg).stream().mapToInt(FlamePictureTest::level).max()).hasValue(15);
        assertThat(svg).contains("Lo", "…<").doesNotContain("A.top");
    }

    @Test
    void disappeared_frames_areColoredWhereTheOtherHasNone() {
        String svg = String.join(
                "\n",
                FlamePicture.disappeared(Stage.ORIGINAL, stacks(Stage.ORIGINAL), Stage.TRIMMED, stacks(Stage.TRIMMED)));

        assertThat(boxes(svg).stream().filter(box -> box.group(4).equals("#f2c200")))
                .extracting(FlamePictureTest::level)
                .containsExactly(1, 2); // SweptWindow.record, removeIf
        assertThat(svg).contains(">not in trimmed<", ">in both<").doesNotContain(">the kernel<");
    }

    @Test
    void of_document_hasTitleAndGround() {
        assertThat(picture(Stage.TRIMMED))
                .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 ")
                .contains("<title>The loop of trimmed</title>", "<desc>", "50 samples", "fill=\"#ffffff\"/>")
                .doesNotContain("href", "<script", "<init>")
                .endsWith("</svg>");
    }

    private static String picture(Stage stage) {
        return String.join("\n", FlamePicture.of(stage, stacks(stage)));
    }

    private static CollapsedStacks stacks(Stage stage) {
        return Recorded.profiles().get(stage).stacks();
    }

    /** Draws stacks of which the first is given from above the loop on. */
    private static String of(String stacks) {
        return String.join(
                "\n",
                FlamePicture.of(Stage.CHECKED, CollapsedStacks.parse(Stream.of((Recorded.LOOP + stacks).split("\n")))));
    }

    private static List<MatchResult> boxes(String svg) {
        return BOX.matcher(svg).results().toList();
    }

    /** Returns how many boxes are below one. */
    private static int level(MatchResult box) {
        return Integer.parseInt(box.group(2)) / 21 - 1;
    }

    private static double width(MatchResult box) {
        return Double.parseDouble(box.group(3));
    }
}
