// snippet:check
@file:OptIn(androidx.compose.ui.test.ExperimentalTestApi::class)
// snippet:doc https://developer.android.com/develop/ui/compose/state-hoisting State hoisting
// snippet:about Android
// snippet:prints [−, +, 2 cups, Brew 2 cups]
// snippet:prints [−, +, 1 cup, Brew 1 cup]
// snippet:prints − enabled: false
// snippet:prints after turning: [−, +, 1 cup, Brew 1 cup]
import androidx.compose.ui.test.*
// snippet:end
import androidx.compose.foundation.layout.*
import androidx.compose.material3.*
import androidx.compose.runtime.*
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.ui.Alignment
import androidx.compose.ui.Modifier

@Composable
fun Stepper(count: Int, onChange: (Int) -> Unit, modifier: Modifier = Modifier) {
    Row(modifier, verticalAlignment = Alignment.CenterVertically) {
        TextButton(onClick = { onChange(count - 1) }, enabled = count > 1) { Text("−") }
        Text(cups(count))
        TextButton(onClick = { onChange(count + 1) }) { Text("+") }
    }
}

@Composable
fun BrewScreen(onBrew: (Int) -> Unit) {
    var count by rememberSaveable { mutableIntStateOf(2) }
    Column {
        Stepper(count, onChange = { count = it })
        Button(onClick = { onBrew(count) }) { Text("Brew ${cups(count)}") }
    }
}

private fun cups(count: Int) = if (count == 1) "1 cup" else "$count cups" // your plural resource

// snippet:check
fun main() = ui {
    val registry = androidx.compose.runtime.saveable.SaveableStateRegistry(null) { true }
    var turned by mutableStateOf<androidx.compose.runtime.saveable.SaveableStateRegistry>(registry)
    var shown by mutableStateOf(true)
    setContent {
        CompositionLocalProvider(androidx.compose.runtime.saveable.LocalSaveableStateRegistry provides turned) { if (shown) BrewScreen {} }
    }
    println(texts())
    onNodeWithText("−").performClick()
    println(texts())
    println("− enabled: ${runCatching { onNodeWithText("−").assertIsEnabled() }.isSuccess}")
    val saved = registry.performSave()
    shown = false
    waitForIdle()
    turned = androidx.compose.runtime.saveable.SaveableStateRegistry(saved) { true }
    shown = true
    waitForIdle()
    println("after turning: ${texts()}")
}
