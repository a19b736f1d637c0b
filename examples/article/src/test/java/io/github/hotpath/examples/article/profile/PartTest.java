package io.github.hotpath.examples.article.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartTest {
    static final String LOOP = "io/github/hotpath/examples/article/CountEvents.main_[0];"
            + "io/github/hotpath/examples/article/CountEvents.run_[j];";
    private static final String CREATE = LOOP + "java/nio/file/Files.createDirectories_[i];";
    static final String MKDIR =
            CREATE + "sun/nio/fs/UnixNativeDispatcher.mkdir_[i];sun/nio/fs/UnixNativeDispatcher.mkdir0_[j]";

    /** As async-profiler names it, without its kind, and on Windows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sun/nio/fs/UnixNativeDispatcher.mkdir0_[j];Java_sun_nio_fs_UnixNativeDispatcher_mkdir0",
                "sun/nio/fs/UnixNativeDispatcher.mkdir0",
                "sun/nio/fs/WindowsNativeDispatcher.CreateDirectory0"
            })
    void samples_mkdir_systemsNameForIt(String frames) {
        assertThat(samples(Part.MKDIR, CREATE + frames)).isEqualTo(1);
    }

    @Test
    void samples_mkdirOutsideTheLoopOrCreateDirectories_none() {
        assertThat(samples(Part.MKDIR, MKDIR.replace("CountEvents.run", "Other.run")))
                .isZero();
        assertThat(samples(Part.MKDIR, MKDIR.replace("createDirectories", "createDirectory")))
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
    void samples_exception_createdOrThrown(String frames) {
        assertThat(samples(Part.EXCEPTION, MKDIR + ";" + frames)).isEqualTo(1);
        assertThat(samples(Part.EXCEPTION, MKDIR + ";__GI_mkdir")).isZero();
    }

    private static long samples(Part part, String stack) {
        return part.samples(CollapsedStacks.parse(List.of(stack + " 1")));
    }
}
