// snippet:check
@file:OptIn(androidx.compose.ui.test.ExperimentalTestApi::class)
// snippet:doc https://developer.android.com/develop/ui/compose/side-effects Side effects
// snippet:about Android
// snippet:prints listeners: 1
// snippet:prints signed out by: the newest function
// snippet:prints listeners after: 0
// snippet:end
import androidx.compose.material3.Text
import androidx.compose.runtime.*
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.delay

interface Network { // your wrapper of ConnectivityManager
    fun addListener(listener: (Boolean) -> Unit) // also tells the listener at once whether it is online
    fun removeListener(listener: (Boolean) -> Unit)
}

@Composable
fun AccountScreen(network: Network, limit: Duration = 10.minutes, onTimeout: () -> Unit) {
    var online by remember { mutableStateOf(true) }
    val currentOnTimeout by rememberUpdatedState(onTimeout)

    LaunchedEffect(limit) { // not onTimeout: each new lambda would start the time again
        delay(limit)
        currentOnTimeout()
    }
    DisposableEffect(network) {
        val listener = { now: Boolean -> online = now }
        network.addListener(listener)
        onDispose { network.removeListener(listener) }
    }
    Text(if (online) "Your account" else "Offline: what you see may be old.")
}

// snippet:check
fun main() = ui {
    val listeners = mutableListOf<(Boolean) -> Unit>()
    val network = object : Network {
        override fun addListener(listener: (Boolean) -> Unit) { listeners += listener; listener(true) }
        override fun removeListener(listener: (Boolean) -> Unit) { check(listeners.remove(listener)) }
    }
    var by = "nobody"
    var name by mutableStateOf("the first function")
    var shown by mutableStateOf(true)
    mainClock.autoAdvance = false
    setContent {
        val who = name
        if (shown) AccountScreen(network) { by = who }
    }
    mainClock.advanceTimeBy(5 * 60_000)
    println("listeners: ${listeners.size}")
    name = "the newest function"
    mainClock.advanceTimeBy(4 * 60_000)
    check(by == "nobody")
    listeners.single()(false)
    mainClock.advanceTimeBy(70_000)
    check(texts() == listOf("Offline: what you see may be old."))
    println("signed out by: $by")
    shown = false
    mainClock.advanceTimeByFrame()
    waitForIdle()
    println("listeners after: ${listeners.size}")
}
