module consumer {
    requires io.github.hotpath;
}
