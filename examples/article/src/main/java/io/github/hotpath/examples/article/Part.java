package io.github.hotpath.examples.article;

import java.util.regex.Pattern;

/** A part of a stage's work that the article discusses, identified by the frames of a stack. */
enum Part {
    LOOP("samples", "article/Loop\\.run"),
    REMOVE_IF("removeIf", "java/util/ArrayDeque\\.removeIf"),
    CREATE_DIRECTORIES("createDirectories", "java/nio/file/Files\\.createDirectories"),
    /** The native method that calls the system, and throws if that fails. On Windows it has the other name. */
    MKDIR("mkdir0", "java/nio/file/Files\\.createDirectories.*;sun/nio/fs/\\w+\\.(mkdir0|CreateDirectory0)"),
    /** Frames that create and throw exceptions; native code creates one by JNU_NewObjectByName. */
    EXCEPTION("exception", "article/Loop\\.run.*(Exception|Throw|JNU_NewObjectByName)"),
    STACK_TRACE("its stack trace", "java/lang/Throwable\\.fillInStackTrace");

    private final String title;
    private final Pattern frames;

    Part(String title, String frames) {
        this.title = title;
        this.frames = Pattern.compile(frames);
    }

    /** Returns the samples of this part of the loop. */
    CollapsedStacks of(CollapsedStacks stacks) {
        return stacks.with(LOOP.frames, frames);
    }

    @Override
    public String toString() {
        return title;
    }
}
