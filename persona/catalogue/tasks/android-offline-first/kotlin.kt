// snippet:check
// snippet:doc https://developer.android.com/topic/architecture/data-layer/offline-first Offline first
// snippet:about Android
// snippet:prints saved: [Tea (old)]
// snippet:prints two at once: requests 1, [Tea, Cup]
// snippet:prints later, offline: failed, still [Tea, Cup]
import kotlinx.coroutines.async
// snippet:end
import java.io.IOException
import kotlinx.coroutines.flow.*
import kotlinx.coroutines.sync.*

interface ProductStore { // like a Room DAO
    val products: Flow<List<String>>
    suspend fun replaceAll(products: List<String>)
}

class ProductRepository(private val store: ProductStore, private val download: suspend () -> List<String>) {
    val products: Flow<List<String>> = store.products // the screen reads nothing else
    private val refreshing = Mutex()
    @Volatile private var refreshes = 0

    suspend fun refresh(): Boolean {
        val seen = refreshes
        return refreshing.withLock {
            if (refreshes != seen) return true // another caller was faster, while this one waited
            try {
                store.replaceAll(download())
                refreshes++
                true
            } catch (_: IOException) {
                false
            }
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
    val repository = ProductRepository(store, {
        kotlinx.coroutines.delay(50)
        if (++requests > 1) throw IOException("offline")
        listOf("Tea", "Cup")
    })
    println("saved: ${repository.products.first()}")
    kotlinx.coroutines.awaitAll(async { repository.refresh() }, async { repository.refresh() })
    println("two at once: requests $requests, ${repository.products.first()}")
    println("later, offline: ${if (repository.refresh()) "done" else "failed"}, still ${repository.products.first()}")
}
