// snippet:check
// snippet:doc https://developer.android.com/topic/architecture/data-layer/offline-first Offline first
// snippet:about Android
// snippet:prints saved: [Tea (old)]
// snippet:prints two at once: requests 1, [Tea, Cup]
// snippet:prints later, offline: failed, still [Tea, Cup]
import kotlinx.coroutines.async
// snippet:end
import java.io.IOException
import kotlin.time.*
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.*
import kotlinx.coroutines.sync.*
interface ProductStore { // like a Room DAO
    val products: Flow<List<String>>
    suspend fun replaceAll(products: List<String>)
}

class ProductRepository(
    private val store: ProductStore,
    private val download: suspend () -> List<String>,
    private val clock: TimeSource = TimeSource.Monotonic,
) {
    val products: Flow<List<String>> = store.products // the screen reads nothing else
    private val refreshing = Mutex()
    private var refreshed: TimeMark? = null

    suspend fun refresh(): Boolean = refreshing.withLock {
        refreshed?.let { if (it.elapsedNow() < 5.seconds) return true } // another caller was faster
        try {
            store.replaceAll(download())
            refreshed = clock.markNow()
            true
        } catch (_: IOException) {
            false
        }
    }
}

// snippet:check
fun main() = kotlinx.coroutines.runBlocking {
    val store = object : ProductStore {
        override val products = MutableStateFlow(listOf("Tea (old)"))
        override suspend fun replaceAll(products: List<String>) { this.products.value = products }
    }
    var requests = 0
    val clock = TestTimeSource()
    val repository = ProductRepository(store, {
        kotlinx.coroutines.delay(50)
        if (++requests > 1) throw IOException("offline")
        listOf("Tea", "Cup")
    }, clock)
    println("saved: ${repository.products.first()}")
    kotlinx.coroutines.awaitAll(async { repository.refresh() }, async { repository.refresh() })
    println("two at once: requests $requests, ${repository.products.first()}")
    clock += 10.seconds
    println("later, offline: ${if (repository.refresh()) "done" else "failed"}, still ${repository.products.first()}")
}
