package io.github.hotpath.files;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The check for a directory that is there: one system call and no exception. */
final class DirectoryCheck {
    /*
     * On Linux Files.isDirectory costs 1.25 (JDK 17) to 1.9 (JDK 25) times Files.exists, because it fetches what it
     * does not need. Asked whether "dir/." exists, the kernel looks for "." in dir, which answers the same question at
     * the price of exists. So that is asked first where it is known to hold: on the JDK's own file system of a Unix.
     *
     * Its yes is a directory. Its no decides nothing: a directory without search permission shows no "." either, and
     * the path may be too long by those two characters. Then isDirectory has the word.
     *
     * Making the path "dir/." costs another tenth, and more in a JVM that has just started. So the last one is kept,
     * for a hot path asks for one directory again and again. It says nothing of what is on the disk and so cannot go
     * stale. There is a place for each of several threads, a cache line apart, for threads with a directory each would
     * fight over one.
     */

    private static final FileSystem DEFAULT = FileSystems.getDefault();

    /** Whether the default file system is the JDK's own, not one put in its place, and of a Unix. */
    private static final boolean ASK_FOR_DOT = DEFAULT.provider().getClass().getModule() == Object.class.getModule()
            && DEFAULT.getSeparator().equals("/");

    private static final Path DOT = DEFAULT.getPath(".");

    /** The number of places, a power of two; threads share them by their ids. */
    private static final int PLACES = 64;

    /** The distance of two places: 64 bytes, of 4 each. */
    private static final int STRIDE = 16;

    /**
     * The last question of the threads of each place. Races are harmless: a question is immutable, and right in itself.
     */
    private static final @Nullable Question[] LAST = new Question[PLACES * STRIDE];

    private DirectoryCheck() {}

    /** Returns whether {@code dir} is a directory, links followed. */
    @SuppressWarnings("ReferenceEquality") // another file system may call itself equal, and still not know about dots
    static boolean passes(Path dir) {
        return (ASK_FOR_DOT && dir.getFileSystem() == DEFAULT && Files.exists(question(dir).dot))
                || Files.isDirectory(dir);
    }

    @SuppressWarnings("ReferenceEquality") // to compare paths would cost more than it saves
    private static Question question(Path dir) {
        int place = ((int) Thread.currentThread().getId() & PLACES - 1) * STRIDE;
        Question question = LAST[place];
        if (question == null || question.dir != dir) {
            question = new Question(dir);
            LAST[place] = question;
        }
        return question;
    }

    /** A directory and the path that exists only if it is one. */
    private static final class Question {
        final Path dir;
        final Path dot;

        Question(Path dir) {
            this.dir = dir;
            this.dot = dir.resolve(DOT);
        }
    }
}
