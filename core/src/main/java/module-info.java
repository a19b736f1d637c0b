/** Two things cheap enough for a hot path: counting events in a sliding window, and making sure a directory exists. */
@org.jspecify.annotations.NullMarked
module io.github.hotpath {
    requires static org.jspecify;

    exports io.github.hotpath.files;
    exports io.github.hotpath.limit;
    exports io.github.hotpath.window;
}
