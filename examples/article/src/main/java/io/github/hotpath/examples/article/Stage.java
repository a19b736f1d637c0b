package io.github.hotpath.examples.article;

import io.github.hotpath.files.Dirs;
import io.github.hotpath.window.EventWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** A version of the article's program, each with one change to the one before, and the article's figures. */
enum Stage {
    ORIGINAL(SweptWindow::new, Files::createDirectories, new Figures(6623, 1462), "about as much as removeIf"),
    TRIMMED(TrimmedWindow::new, Files::createDirectories, new Figures(14788, 639), "96.49 %, most of it mkdir0"),
    CHECKED(TrimmedWindow::new, Stage::createUnlessThere, new Figures(50000, 87), "gone"),
    HOTPATH(() -> EventWindow.of(Duration.ofNanos(Window.INTERVAL_NANOS))::record, Dirs::ensure, null, null);

    /** A way to ensure that a directory exists. */
    interface Ensurer {
        void ensure(Path dir) throws IOException;
    }

    private final Supplier<Window> windows;
    private final Ensurer ensurer;

    /** Null for a stage that the article does not have. */
    private final Figures inArticle;

    /** Null likewise. */
    private final String shareInArticle;

    Stage(Supplier<Window> windows, Ensurer ensurer, Figures inArticle, String shareInArticle) {
        this.windows = windows;
        this.ensurer = ensurer;
        this.inArticle = inArticle;
        this.shareInArticle = shareInArticle;
    }

    /** Returns the stage whose name in lower case is {@code name}, if there is one. */
    static Optional<Stage> named(String name) {
        return Arrays.stream(values())
                .filter(stage -> stage.toString().equals(name))
                .findAny();
    }

    Window newWindow() {
        return windows.get();
    }

    Ensurer ensurer() {
        return ensurer;
    }

    Optional<Figures> inArticle() {
        return Optional.ofNullable(inArticle);
    }

    /** Returns the share of {@code createDirectories} in the article's profile of this stage. */
    Optional<String> shareInArticle() {
        return Optional.ofNullable(shareInArticle);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The article's last step, with its fault: a regular file at {@code dir} is accepted. */
    private static void createUnlessThere(Path dir) throws IOException {
        if (!Files.exists(dir)) {
            Files.createDirectories(dir);
        }
    }
}
