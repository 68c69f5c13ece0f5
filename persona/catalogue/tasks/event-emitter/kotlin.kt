// snippet:doc https://kotlinlang.org/api/kotlinx.coroutines/kotlinx-coroutines-core/kotlinx.coroutines.flow/-shared-flow/ SharedFlow
// snippet:into It needs kotlinx-coroutines-core.
// snippet:prints first a.txt
// snippet:prints second a.txt
// snippet:prints second b.txt
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.asSharedFlow
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.launchIn
import kotlinx.coroutines.flow.onEach

class EventBus {
    private val stream = MutableSharedFlow<Any>(extraBufferCapacity = 64)
    val events = stream.asSharedFlow()

    /** Waits while a listener is 64 events behind. */
    suspend fun emit(event: Any) = stream.emit(event)

    /** Listens from when its coroutine has started until the scope ends or the returned job is cancelled. */
    inline fun <reified E : Any> on(
        scope: CoroutineScope,
        noinline action: suspend (E) -> Unit
    ): Job =
        events.filterIsInstance<E>().onEach(action).launchIn(scope)
}
// snippet:usage
data class Saved(val file: String)

fun main() = kotlinx.coroutines.runBlocking {
    val bus = EventBus()
    val first = bus.on<Saved>(this) { println("first ${it.file}") }
    val second = bus.on<Saved>(this) { println("second ${it.file}") }
    kotlinx.coroutines.yield()
    bus.emit(Saved("a.txt"))
    bus.emit(42)
    kotlinx.coroutines.delay(20)
    first.cancel()
    bus.emit(Saved("b.txt"))
    kotlinx.coroutines.delay(20)
    second.cancel()
}
