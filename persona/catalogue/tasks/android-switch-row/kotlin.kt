// snippet:check
@file:OptIn(androidx.compose.ui.test.ExperimentalTestApi::class)
// snippet:doc https://developer.android.com/develop/ui/compose/accessibility Accessibility
// snippet:about Android
// snippet:prints switches to focus: 1
// snippet:prints Switch, [Large print, For titles and texts], Off
// snippet:prints after a tap on the label: On
// snippet:prints high enough for fingers: true
import androidx.compose.ui.test.*
// snippet:end
import androidx.compose.foundation.layout.*
import androidx.compose.foundation.selection.toggleable
import androidx.compose.material3.*
import androidx.compose.runtime.Composable
import androidx.compose.ui.*
import androidx.compose.ui.semantics.Role
import androidx.compose.ui.unit.dp

@Composable
fun SwitchRow(
    label: String, hint: String, checked: Boolean, onChange: (Boolean) -> Unit, modifier: Modifier = Modifier,
) {
    Row(
        verticalAlignment = Alignment.CenterVertically,
        horizontalArrangement = Arrangement.spacedBy(16.dp),
        modifier = modifier
            .fillMaxWidth()
            .toggleable(value = checked, role = Role.Switch, onValueChange = onChange)
            .heightIn(min = 56.dp)
            .padding(horizontal = 16.dp, vertical = 8.dp),
    ) {
        Column(Modifier.weight(1f)) {
            Text(label, style = MaterialTheme.typography.bodyLarge)
            Text(hint, style = MaterialTheme.typography.bodyMedium)
        }
        Switch(checked = checked, onCheckedChange = null) // the row does it
    }
}

// snippet:check
fun main() = ui {
    val checked = androidx.compose.runtime.mutableStateOf(false)
    setContent { SwitchRow("Large print", "For titles and texts", checked.value, { checked.value = it }) }
    val switches = onAllNodes(isToggleable())
    println("switches to focus: ${switches.fetchSemanticsNodes().size}")
    val row = onNode(isToggleable())
    val properties = androidx.compose.ui.semantics.SemanticsProperties
    fun config() = row.fetchSemanticsNode().config
    println("${config()[properties.Role]}, ${config()[properties.Text]}, ${config()[properties.ToggleableState]}")
    onNodeWithText("Large print", useUnmergedTree = true).performTouchInput { click() }
    println("after a tap on the label: ${config()[properties.ToggleableState]}")
    println("high enough for fingers: ${row.fetchSemanticsNode().size.height >= 48}")
}
