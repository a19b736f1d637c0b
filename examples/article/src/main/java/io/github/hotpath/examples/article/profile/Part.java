package io.github.hotpath.examples.article.profile;

import java.util.regex.Pattern;

/** A part of a stage's work that the article discusses, identified by the frames of a stack. */
enum Part {
    LOOP("samples", "article/CountEvents\\.run"),
    REMOVE_IF("removeIf", "java/util/ArrayDeque\\.removeIf"),
    CREATE_DIRECTORIES("createDirectories", "java/nio/file/Files\\.createDirectories"),
    /** The native method that calls the system, and throws if that fails. On Windows it has the other name. */
    MKDIR("mkdir0", "java/nio/file/Files\\.createDirectories.*;sun/nio/fs/\\w+\\.(mkdir0|CreateDirectory0)"),
    /** Frames that create and throw exceptions; native code creates one by JNU_NewObjectByName. */
    EXCEPTION("exceptions", "article/CountEvents\\.run.*(Exception|Throw|JNU_NewObjectByName)"),
    STACK_TRACE("stack traces", "java/lang/Throwable\\.fillInStackTrace");

    private final String title;
    private final Pattern frames;

    Part(String title, String frames) {
        this.title = title;
        this.frames = Pattern.compile(frames);
    }

    /** Returns how many samples of the loop are of this part. */
    long samples(CollapsedStacks stacks) {
        return stacks.count(LOOP.frames, frames);
    }

    /** Returns the share of the loop's samples. */
    double share(CollapsedStacks stacks) {
        return (double) samples(stacks) / LOOP.samples(stacks);
    }

    @Override
    public String toString() {
        return title;
    }
}
