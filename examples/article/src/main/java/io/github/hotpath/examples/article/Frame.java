package io.github.hotpath.examples.article;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A frame of the loop with its callees, and how many samples were taken in it or in them. */
final class Frame {
    /** What the profilers append to a frame: how it was compiled, or that it is the kernel's. */
    private static final Pattern NAME = Pattern.compile("(.*?)(?:_\\[([01ijk])])?");

    private static final String ROOT = "article/Loop.run";

    private final String name;
    private final Kind kind;
    private final SortedMap<String, Frame> callees = new TreeMap<>();
    private long samples;

    private Frame(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
    }

    /** Returns the frame of the loop, with all that it calls; a method is one frame, however it was compiled. */
    static Frame loopOf(CollapsedStacks stacks) {
        Frame loop = new Frame(ROOT, Kind.JAVA);
        for (String line : Part.LOOP.of(stacks).lines()) {
            int space = line.lastIndexOf(' ');
            String above = line.substring(line.indexOf(ROOT), space);
            int end = above.indexOf(';');
            loop.add(end < 0 ? "" : above.substring(end + 1), Long.parseLong(line.substring(space + 1)));
        }
        return loop;
    }

    private void add(String stack, long count) {
        Frame frame = this;
        frame.samples += count;
        if (stack.isEmpty()) {
            return;
        }
        for (String called : stack.split(";")) {
            frame = frame.callee(called);
            frame.samples += count;
        }
    }

    private Frame callee(String called) {
        Matcher parts = NAME.matcher(called);
        parts.matches();
        String calledName = parts.group(1);
        return callees.computeIfAbsent(calledName, key -> new Frame(key, Kind.of(key, parts.group(2))));
    }

    long samples() {
        return samples;
    }

    Kind kind() {
        return kind;
    }

    /** Returns the callees in the order of their names. */
    Collection<Frame> callees() {
        return callees.values();
    }

    /** Returns the callee of the same name as {@code frame}, or null. */
    Frame calleeLike(Frame frame) {
        return callees.get(frame.name);
    }

    /** Returns the method without its class, a constructor as its class, or the whole name of what is not Java. */
    String method() {
        String whole = toString();
        if (kind != Kind.JAVA) {
            return whole;
        }
        int dot = whole.lastIndexOf('.');
        return whole.endsWith(".<init>") ? whole.substring(0, dot) : whole.substring(dot + 1);
    }

    /** Returns the class, without its package, and the method. */
    @Override
    public String toString() {
        return kind == Kind.JAVA ? name.substring(name.lastIndexOf('/') + 1) : name;
    }

    /** What kind of code a frame is of, as a flame graph colours it. */
    enum Kind {
        JAVA("Java", "#8fd694"),
        NATIVE("native code", "#f29a9a"),
        JVM("the JVM", "#e6dc6a"),
        KERNEL("the kernel", "#f5ae55");

        private final String title;
        private final String colour;

        Kind(String title, String colour) {
            this.title = title;
            this.colour = colour;
        }

        /** Tells them apart as async-profiler does: by its suffix, and C++ by its colons. */
        private static Kind of(String name, String suffix) {
            if ("k".equals(suffix)) {
                return KERNEL;
            }
            if (suffix != null || name.contains("/")) {
                return JAVA;
            }
            return name.contains("::") ? JVM : NATIVE;
        }

        String colour() {
            return colour;
        }

        @Override
        public String toString() {
            return title;
        }
    }
}
