package io.github.hotpath.examples.article;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A flame graph for a page: cropped to the loop and to the frames next to it, each box with its share of the loop's
 * samples, and a legend of the colours. It is an SVG on a ground of its own, so that it can be read on a dark page.
 */
final class FlamePicture {
    private static final int WIDTH = 1000;
    private static final int MARGIN = 10;
    private static final int TOP = 36;
    private static final int BOX = 21;
    private static final int LEGEND = 34;

    /** How many frames are drawn above each other: as far as to the system calls. */
    private static final int DEPTH = 16;

    /** Narrower boxes are not drawn, of the loop's samples. */
    private static final double MIN_SHARE = 0.003;

    /** What a character takes at the most, on average, in a usual font of this size. */
    private static final double CHARACTER = 6.9;

    private static final String PERCENT = "%.1f %%";
    private static final String DISAPPEARED = "#f2c200";
    private static final String REMAINED = "#dcdcdc";

    private final List<String> boxes = new ArrayList<>();
    private final String title;
    private final Frame loop;

    /** The loop to compare with, or null. */
    private final Frame other;

    private final Map<String, String> legend = new LinkedHashMap<>();
    private int levels;

    private FlamePicture(String title, Frame loop, Frame other) {
        this.title = title;
        this.loop = loop;
        this.other = other;
    }

    /** Draws the loop of a stage. */
    static List<String> of(Stage stage, CollapsedStacks stacks) {
        FlamePicture picture = new FlamePicture("The loop of " + stage, Frame.loopOf(stacks), null);
        for (Frame.Kind kind : Frame.Kind.values()) {
            picture.legend.put(kind.toString(), kind.colour());
        }
        return picture.lines();
    }

    /** Draws the loop of a stage, with the frames that the stage {@code after} does not have in a strong colour. */
    static List<String> disappeared(Stage stage, CollapsedStacks stacks, Stage after, CollapsedStacks stacksAfter) {
        FlamePicture picture = new FlamePicture(
                "The loop of " + stage + ", compared with " + after, Frame.loopOf(stacks), Frame.loopOf(stacksAfter));
        picture.legend.put("not in " + after, DISAPPEARED);
        picture.legend.put("in both", REMAINED);
        return picture.lines();
    }

    private List<String> lines() {
        draw(loop, other, MARGIN, 0);
        int height = TOP + levels * BOX + LEGEND;
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\" fill=\"#202020\">",
                WIDTH, height));
        lines.add("<title>" + escaped(title) + "</title>");
        lines.add("<desc>Flame graph: each box is a method above its caller, as wide as its share of the "
                + loop.samples() + " samples taken in the loop.</desc>");
        lines.add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        lines.add("<text x=\"" + MARGIN + "\" y=\"22\" font-size=\"15\" font-weight=\"bold\">" + escaped(title)
                + "</text>");
        lines.add(String.format(
                "<g stroke=\"#ffffff\" stroke-width=\"1\" transform=\"translate(0 %d)\">", TOP + levels * BOX));
        boxes.stream().filter(box -> box.startsWith("<rect")).forEach(lines::add);
        lines.add("</g>");
        lines.add(String.format("<g transform=\"translate(0 %d)\">", TOP + levels * BOX));
        boxes.stream().filter(box -> box.startsWith("<text")).forEach(lines::add);
        lines.add("</g>");
        addLegend(lines, height - LEGEND + 12);
        lines.add("</svg>");
        return lines;
    }

    /** Draws a frame, from {@code x}, and all above it, unless it is too narrow. */
    private void draw(Frame frame, Frame like, double x, int level) {
        double share = share(frame);
        if (share < MIN_SHARE || level == DEPTH) {
            return;
        }
        levels = Math.max(levels, level + 1);
        double width = share * (WIDTH - 2 * MARGIN);
        int y = -(level + 1) * BOX;
        boxes.add(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                x,
                y,
                width,
                BOX,
                colour(frame, like)));
        String label = label(frame, share, width);
        if (!label.isEmpty()) {
            boxes.add(String.format(
                    Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 4, y + BOX - 6, escaped(label)));
        }
        double next = x;
        for (Frame callee : frame.callees()) {
            draw(callee, like == null ? null : like.calleeLike(callee), next, level + 1);
            next += share(callee) * (WIDTH - 2 * MARGIN);
        }
    }

    private double share(Frame frame) {
        return (double) frame.samples() / loop.samples();
    }

    private String colour(Frame frame, Frame like) {
        if (other == null) {
            return frame.kind().colour();
        }
        return like == null ? DISAPPEARED : REMAINED;
    }

    /** Returns the share and the name, or as much of it as the box is wide; nothing if the share does not fit. */
    private static String label(Frame frame, double share, double width) {
        String percent = String.format(Locale.ROOT, PERCENT, 100 * share);
        int room = (int) ((width - 6) / CHARACTER);
        int forName = room - percent.length() - 1;
        String name = frame.toString().length() <= forName ? frame.toString() : frame.method();
        if (forName >= name.length()) {
            return percent + " " + name;
        }
        if (forName >= 3) {
            return percent + " " + name.substring(0, forName - 1) + "…";
        }
        return room >= percent.length() ? percent : "";
    }

    private void addLegend(List<String> lines, int y) {
        int x = MARGIN;
        for (Map.Entry<String, String> colour : legend.entrySet()) {
            lines.add(String.format(
                    "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>", x, y, colour.getValue()));
            lines.add(String.format("<text x=\"%d\" y=\"%d\">%s</text>", x + 20, y + 11, escaped(colour.getKey())));
            x += 130;
        }
        lines.add(String.format(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">shares of the samples in the loop</text>",
                WIDTH - MARGIN, y + 11));
    }

    private static String escaped(String text) {
        return IndexPage.escaped(text);
    }
}
