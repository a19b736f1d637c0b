package io.github.hotpath.window;

/** Random calls, each of which may throw an error; with an account of what must be so afterwards. For one thread. */
public interface ErrorSource {
    /** Makes one random call, or several. Calls nothing else and allocates nothing, for that might throw as well. */
    void make();

    /** Whether the account has room for more calls. */
    boolean hasRoom();

    /** Takes note of what a call has thrown that is not the error to be expected. */
    void fail(Throwable unexpected);
}
