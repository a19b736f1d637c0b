import io.github.hotpath.files.Dirs
import io.github.hotpath.limit.KeyedLimiter
import io.github.hotpath.window.EventWindow
import java.nio.file.Path

/** Each line is an error because Kotlin sees which types may be null. */
fun nulls(file: Path, limiter: KeyedLimiter<String>) {
    Dirs.ensure(null)
    EventWindow.of(null)
    limiter.forKey(null)
    Dirs.withParent<String>(file, { null })
    Dirs.withParent<String?>(file, { null }).length
}
