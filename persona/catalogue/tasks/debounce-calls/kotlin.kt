// snippet:doc https://kotlinlang.org/api/kotlinx.coroutines/kotlinx-coroutines-core/kotlinx.coroutines.flow/debounce.html Flow.debounce
// snippet:needs Kotlin 1.7
// snippet:into It needs kotlinx-coroutines-core.
// snippet:why Typing stays smooth, and the server is asked once and not with every key.
// snippet:description Search once typing has paused, with the latest text. The same text as before is not searched again, and a newer
// snippet:description text cancels the search under way. One that is too short is not searched: its result is `null`.
// snippet:prints results for kotlin
// snippet:prints null
// snippet:prints results for flow
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.FlowPreview
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.debounce
import kotlinx.coroutines.flow.distinctUntilChanged
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.mapLatest

/** Searches once typing has paused; a newer text cancels the search under way. null: the text is too short. */
@OptIn(FlowPreview::class, ExperimentalCoroutinesApi::class)
fun <R> Flow<String>.searchResults(search: suspend (String) -> R): Flow<R?> =
    map { it.trim() }
        .debounce(100.milliseconds)
        .distinctUntilChanged()
        .mapLatest { if (it.length >= 2) search(it) else null } // a search that throws ends the flow
// snippet:usage
fun main() = kotlinx.coroutines.runBlocking {
    val shown = kotlinx.coroutines.channels.Channel<String?>(2)
    val typed = kotlinx.coroutines.flow.flow {
        for (text in listOf("k", "ko", "kotlin ")) emit(text)
        shown.receive()
        for (text in listOf("kotlin", "f")) emit(text)
        shown.receive()
        emit("flow")
    }
    typed.searchResults { "results for $it" }.collect {
        println(it)
        shown.send(it)
    }
}
