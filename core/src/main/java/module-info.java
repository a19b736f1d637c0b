/** Exact rate limits and event counts over sliding windows, and directories that are created when missing. */
@org.jspecify.annotations.NullMarked
module io.github.hotpath {
    requires static org.jspecify;

    exports io.github.hotpath.files;
    exports io.github.hotpath.limit;
    exports io.github.hotpath.window;
}
