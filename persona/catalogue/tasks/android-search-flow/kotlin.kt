// snippet:check
@file:OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
// snippet:doc https://developer.android.com/kotlin/flow/stateflow-and-sharedflow StateFlow
// snippet:about Android
// snippet:prints asked for: [te, tea, down, cup]
// snippet:prints finished: [tea, cup]
// snippet:prints shown: [[], [tea 1, tea 2], null, [cup 1, cup 2]]
import kotlinx.coroutines.*
import kotlinx.coroutines.test.*
// snippet:end
import androidx.lifecycle.*
import java.io.IOException
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.*
import kotlinx.coroutines.flow.*

@OptIn(FlowPreview::class, ExperimentalCoroutinesApi::class)
class SearchViewModel(search: suspend (String) -> List<String>) : ViewModel() {
    private val query = MutableStateFlow("")

    /** null: the search failed, which is not the same as no result. */
    val results: StateFlow<List<String>?> = query
        .map { it.trim() }
        .debounce { if (it.isEmpty()) 0.milliseconds else 300.milliseconds } // clearing shows at once
        .distinctUntilChanged()
        .mapLatest { text ->
            try {
                if (text.length < 2) emptyList() else search(text)
            } catch (_: IOException) {
                null
            }
        }
        .stateIn(viewModelScope, SharingStarted.WhileSubscribed(5_000), emptyList())

    fun type(text: String) { query.value = text }
}

// snippet:check
fun main() = runTest {
    Dispatchers.setMain(StandardTestDispatcher(testScheduler))
    val asked = mutableListOf<String>()
    val finished = mutableListOf<String>()
    val model = SearchViewModel { text ->
        asked += text
        if (text == "down") throw IOException("offline")
        delay(1_000)
        finished += text
        listOf("$text 1", "$text 2")
    }
    val shown = mutableListOf<List<String>?>()
    backgroundScope.launch { model.results.toList(shown) }
    for ((text, pause) in listOf("t" to 100L, "te" to 500L, "tea" to 2_000L, "tea " to 2_000L, "down" to 2_000L, "cup" to 2_000L)) {
        model.type(text)
        delay(pause)
    }
    println("asked for: $asked")
    println("finished: $finished")
    println("shown: $shown")
}
