package io.github.hotpath.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Failures thrown and asserted on. */
final class Failures {
    private Failures() {}

    /** Asserts that the call throws exactly this type, naming exactly this path, and returns what it throws. */
    static FileSystemException assertThrown(
            Class<? extends FileSystemException> type, Path named, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isExactlyInstanceOf(type);
        FileSystemException failed = (FileSystemException) thrown;
        assertThat(failed.getFile()).isEqualTo(named.toString());
        return failed;
    }

    /** Throws any exception or error from a method that may throw an {@code IOException}. */
    static void throwAny(Throwable failure) throws IOException {
        Throwables.throwIfInstanceOf(failure, IOException.class);
        Throwables.throwIfUnchecked(failure);
        throw new IllegalArgumentException(failure);
    }
}
