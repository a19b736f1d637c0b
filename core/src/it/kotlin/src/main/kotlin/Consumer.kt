import io.github.hotpath.files.Dirs
import io.github.hotpath.limit.BlockingLimiter
import io.github.hotpath.limit.KeyedLimiter
import io.github.hotpath.limit.Limit
import io.github.hotpath.limit.Reservation
import io.github.hotpath.limit.SlidingWindowLimiter
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors

val free: List<Limit> = listOf(Limit.of(1, Duration.ofHours(1)))
val pro: List<Limit> = listOf()

fun isPro(client: String): Boolean = client == "pro"

// docs/migration.md shows what follows.
val limiter = KeyedLimiter.of<String> { client -> if (isPro(client)) pro else free }

fun admit(client: String): Duration? {        // null if it is granted, otherwise the java.time.Duration to wait
    val waitNanos = limiter.forKey(client).tryAcquireOrDelay(System.nanoTime(), 1)
    return if (waitNanos == 0L) null else Duration.ofNanos(waitNanos)
}

/** Calls what takes functions and futures, with the types that Kotlin gives the results. */
fun main(args: Array<String>) {
    val file: Path = Path.of(args[0], "a", "b", "file")
    val size: Long = Dirs.withParent(file, { Files.size(Files.writeString(it, "text")) })
    val nothing: String? = Dirs.withParent<String?>(file, { null })
    Dirs.forEachEntry(file.parent) { entry -> println("${entry.path.fileName}, $size, $nothing") }

    println(listOf("pro", "free", "free").map { admit(it) == null })

    val line = BlockingLimiter.of(SlidingWindowLimiter.of(Limit.of(1, Duration.ofMillis(1))))
    val scheduler = Executors.newSingleThreadScheduledExecutor()
    try {
        val turns: List<CompletableFuture<Reservation>> = List(3) { line.acquireAsync(1, scheduler) }
        println(turns.map { it.get().isGranted })
    } finally {
        scheduler.shutdown()
    }
}
