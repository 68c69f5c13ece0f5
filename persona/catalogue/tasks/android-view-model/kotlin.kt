// snippet:check
// snippet:doc https://developer.android.com/topic/libraries/architecture/viewmodel ViewModel
// snippet:about Android
// snippet:needs Kotlin 1.9
// snippet:prints [Loading, Failed, Loading, Content(products=[Tea, Cup])]
// snippet:prints after two taps: 3 tries
// snippet:prints late failure: Content(products=[Milk])
import kotlinx.coroutines.test.setMain
// snippet:end
import androidx.lifecycle.ViewModel
import androidx.lifecycle.viewModelScope
import java.io.IOException
import kotlinx.coroutines.*
import kotlinx.coroutines.flow.*

sealed interface ShopState {
    data object Loading : ShopState
    data object Failed : ShopState
    data class Content(val products: List<String>) : ShopState
}

class ShopViewModel(private val loadProducts: suspend () -> List<String>) : ViewModel() {
    private val mutableState = MutableStateFlow<ShopState>(ShopState.Loading)
    val state: StateFlow<ShopState> = mutableState.asStateFlow()

    private var loading: Job? = null

    init { load() }

    fun load() {
        loading?.cancel() // a second tap starts anew
        mutableState.value = ShopState.Loading
        loading = viewModelScope.launch {
            val result = try {
                ShopState.Content(loadProducts())
            } catch (_: IOException) { // and nothing more general: that would swallow cancellation and mistakes
                ShopState.Failed
            }
            ensureActive() // what was cancelled counts no more, however late it ends
            mutableState.value = result
        }
    }
}

// snippet:check
@OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
fun main() = kotlinx.coroutines.test.runTest {
    kotlinx.coroutines.Dispatchers.setMain(kotlinx.coroutines.test.StandardTestDispatcher(testScheduler))
    var tries = 0
    val model = ShopViewModel {
        kotlinx.coroutines.delay(100)
        if (++tries == 1) throw IOException("offline")
        listOf("Tea", "Cup")
    }
    val states = mutableListOf<ShopState>()
    val watching = backgroundScope.launch { model.state.toList(states) }
    testScheduler.advanceUntilIdle(); testScheduler.runCurrent()
    model.load()
    testScheduler.advanceUntilIdle(); testScheduler.runCurrent()
    println(states)
    repeat(2) { model.load(); testScheduler.advanceTimeBy(50); testScheduler.runCurrent() }
    testScheduler.advanceUntilIdle()
    println("after two taps: $tries tries")
    var deaf = true
    val second = ShopViewModel {
        if (deaf) { deaf = false; kotlinx.coroutines.withContext(kotlinx.coroutines.NonCancellable) { kotlinx.coroutines.delay(500) }; throw IOException() }
        listOf("Milk")
    }
    testScheduler.runCurrent()
    second.load()
    testScheduler.advanceUntilIdle()
    println("late failure: ${second.state.value}")
    watching.cancel()
}
