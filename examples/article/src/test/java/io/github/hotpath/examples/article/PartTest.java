package io.github.hotpath.examples.article;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartTest {
    /** As async-profiler names it, as Flight Recorder does, and on Windows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sun/nio/fs/UnixNativeDispatcher.mkdir0_[j];Java_sun_nio_fs_UnixNativeDispatcher_mkdir0",
                "sun/nio/fs/UnixNativeDispatcher.mkdir0",
                "sun/nio/fs/WindowsNativeDispatcher.CreateDirectory0"
            })
    void of_mkdir_systemsNameForIt(String frames) {
        assertThat(samples(Part.MKDIR, Recorded.CREATE + frames)).isEqualTo(1);
    }

    @Test
    void of_mkdirOutsideTheLoopOrCreateDirectories_none() {
        assertThat(samples(Part.MKDIR, Recorded.MKDIR.replace("Loop.run", "Other.run")))
                .isZero();
        assertThat(samples(Part.MKDIR, Recorded.MKDIR.replace("createDirectories", "createDirectory")))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sun/nio/fs/UnixException.rethrowAsIOException_[i]",
                "java/lang/Throwable.<init>_[i]",
                "jni_Throw;Exceptions::_throw",
                "JNU_NewObjectByName"
            })
    void of_exception_madeOrThrown(String frames) {
        assertThat(samples(Part.EXCEPTION, Recorded.MKDIR + ";" + frames)).isEqualTo(1);
        assertThat(samples(Part.EXCEPTION, Recorded.MKDIR + ";__GI_mkdir")).isZero();
    }

    private static long samples(Part part, String stack) {
        return part.of(CollapsedStacks.parse(Stream.of(stack + " 1"))).total();
    }
}
