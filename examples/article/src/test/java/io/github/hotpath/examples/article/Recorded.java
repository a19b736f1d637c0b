package io.github.hotpath.examples.article;

import java.util.EnumMap;
import java.util.Map;

/** Stacks that the profilers reported for the stages on Linux with JDK 17, shortened, with round numbers of samples. */
final class Recorded {
    static final String REPEATED = "io/github/hotpath/examples/article/RepeatedStage.main_[0];";
    static final String LOOP = REPEATED + "io/github/hotpath/examples/article/Loop.run_[j];";
    static final String CREATE = LOOP + "java/nio/file/Files.createDirectories_[i];";
    static final String MKDIR =
            CREATE + "sun/nio/fs/UnixNativeDispatcher.mkdir_[i];sun/nio/fs/UnixNativeDispatcher.mkdir0";

    private static final String COMPILER = "clone3;start_thread;JavaThread::thread_main_inner;Compile::Compile 77\n";

    private static final String CREATE_DIRECTORIES = CREATE + "java/nio/file/Files.isDirectory_[i];statx 13\n"
            + MKDIR + "_[j];Java_sun_nio_fs_UnixNativeDispatcher_mkdir0;__GI_mkdir;do_syscall_64_[k] 5\n"
            + MKDIR + "_[j];Java_sun_nio_fs_UnixNativeDispatcher_mkdir0;JNU_NewObjectByName;jni_FindClass 6\n"
            + MKDIR + "_[j];jni_Throw;Exceptions::_throw;ExceptionsEventLog::log 4\n"
            + CREATE + "sun/nio/fs/UnixException.translateToIOException_[i];java/lang/Throwable.<init>_[i];"
            + "java/lang/Throwable.fillInStackTrace_[i];java_lang_Throwable::fill_in_stack_trace 10\n"
            + CREATE + "sun/nio/fs/UnixException.translateToIOException_[i];java/lang/Throwable.<init>_[i] 2\n";

    private Recorded() {}

    static Map<Stage, StageProfile> profiles() {
        Map<Stage, StageProfile> profiles = new EnumMap<>(Stage.class);
        profiles.put(
                Stage.ORIGINAL,
                profile(
                        "2.00",
                        "mkdir 1.0, statx 1.0",
                        COMPILER + CREATE_DIRECTORIES + LOOP
                                + "io/github/hotpath/examples/article/SweptWindow.record_[i];java/util/ArrayDeque.removeIf_[i] 160\n"));
        profiles.put(
                Stage.TRIMMED,
                profile(
                        "2.00",
                        "mkdir 1.0, statx 1.0",
                        COMPILER + CREATE_DIRECTORIES + LOOP
                                + "io/github/hotpath/examples/article/TrimmedWindow.record_[i] 10\n"));
        profiles.put(
                Stage.CHECKED,
                profile(
                        "0.00",
                        "access 1.0",
                        COMPILER + LOOP
                                + "java/nio/file/Files.exists_[i];sun/nio/fs/UnixNativeDispatcher.access0_[j];do_syscall_64_[k] 40\n"));
        profiles.put(
                Stage.HOTPATH,
                profile(
                        "-",
                        "-",
                        LOOP
                                + "io/github/hotpath/files/Dirs.ensure_[i];java/nio/file/Files.exists_[i] 30\n"
                                // the JVM's own, not the loop's
                                + "jdk/jfr/internal/Repository.ensureRepository_[0];java/nio/file/Files.createDirectories_[0];"
                                + "sun/nio/fs/UnixNativeDispatcher.mkdir0 3\n"));
        return profiles;
    }

    private static StageProfile profile(String exceptions, String systemCalls, String stacks) {
        return new StageProfile(CollapsedStacks.parse(stacks.lines()), exceptions, systemCalls);
    }
}
