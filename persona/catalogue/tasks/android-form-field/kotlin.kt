// snippet:check
@file:OptIn(androidx.compose.ui.test.ExperimentalTestApi::class)
// snippet:doc https://developer.android.com/develop/ui/compose/text/user-input User input
// snippet:about Android
// snippet:prints typing: no error
// snippet:prints left: An address like ada@example.com
// snippet:prints sent: [ada@example.com]
import androidx.compose.ui.test.*
// snippet:end
import androidx.compose.foundation.text.*
import androidx.compose.material3.*
import androidx.compose.runtime.*
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.ui.Modifier
import androidx.compose.ui.focus.onFocusChanged
import androidx.compose.ui.semantics.*
import androidx.compose.ui.text.input.*

@Composable
fun EmailField(onSend: (String) -> Unit, modifier: Modifier = Modifier) {
    var email by rememberSaveable { mutableStateOf("") }
    var touched by rememberSaveable { mutableStateOf(false) }
    val address = email.trim() // keyboards put a space behind what they complete
    val valid = Regex("""[^\s@]+@[^\s@]+""").matches(address)
    val message = if (touched && !valid) "An address like ada@example.com" else null

    OutlinedTextField(
        value = email,
        onValueChange = { email = it },
        label = { Text("E-mail address") },
        isError = message != null,
        supportingText = { if (message != null) Text(message) },
        singleLine = true,
        keyboardOptions = KeyboardOptions(keyboardType = KeyboardType.Email, imeAction = ImeAction.Done),
        keyboardActions = KeyboardActions {
            touched = true
            if (valid) { onSend(address); defaultKeyboardAction(ImeAction.Done) } // and close the keyboard
        },
        modifier = modifier
            .onFocusChanged { if (!it.isFocused && email.isNotEmpty()) touched = true }
            .semantics { if (message != null) error(message) },
    )
}

// snippet:check
fun main() = ui {
    val sent = mutableListOf<String>()
    setContent {
        androidx.compose.foundation.layout.Column {
            EmailField({ sent += it })
            TextField("", {}, label = { Text("Name") })
        }
    }
    val field = onNode(hasText("E-mail address"))
    fun error() = field.fetchSemanticsNode().config.getOrNull(SemanticsProperties.Error) ?: "no error"
    field.performTextInput("ada")
    println("typing: ${error()}")
    onNode(hasText("Name")).performClick()
    waitForIdle()
    println("left: ${error()}")
    field.performImeAction()
    field.performTextReplacement("ada@example.com ")
    field.performImeAction()
    println("sent: $sent")
}
