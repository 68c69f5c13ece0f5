// snippet:check
@file:OptIn(androidx.compose.ui.test.ExperimentalTestApi::class)
// snippet:doc https://developer.android.com/develop/ui/compose/lists Lists and grids
// snippet:about Android
// snippet:needs Compose 1.7
// snippet:prints rows made: fewer than 50 of 10000
// snippet:prints first row before: 4999, after 3 new ones: 4999
import androidx.compose.ui.test.*
// snippet:end
import androidx.compose.foundation.layout.*
import androidx.compose.foundation.lazy.*
import androidx.compose.material3.*
import androidx.compose.runtime.*
import androidx.compose.ui.Modifier
import androidx.compose.ui.text.style.TextOverflow
import androidx.compose.ui.unit.dp

data class Message(val id: Long, val sender: String, val text: String)

@Composable
fun Inbox(messages: List<Message>, modifier: Modifier = Modifier, state: LazyListState = rememberLazyListState()) {
    LazyColumn(modifier, state, PaddingValues(16.dp), verticalArrangement = Arrangement.spacedBy(8.dp)) {
        items(messages, key = { it.id }, contentType = { "message" }) { message ->
            MessageRow(message, Modifier.fillMaxWidth().animateItem())
        }
    }
}

@Composable
fun MessageRow(message: Message, modifier: Modifier = Modifier) {
    ListItem(
        headlineContent = { Text(message.sender) },
        supportingContent = { Text(message.text, maxLines = 2, overflow = TextOverflow.Ellipsis) },
        modifier = modifier,
    )
}

// snippet:check
fun main() = ui {
    var messages by mutableStateOf((1L..10_000).map { Message(it, "Ada", "$it") })
    val state = LazyListState(firstVisibleItemIndex = 4_999)
    setContent { Inbox(messages, Modifier.height(400.dp), state) }
    val rows = onAllNodes(hasText("Ada"), useUnmergedTree = true).fetchSemanticsNodes().size
    println("rows made: ${if (rows in 1..49) "fewer than 50" else "$rows"} of ${messages.size}")
    val before = state.layoutInfo.visibleItemsInfo.first().key
    messages = (10_001L..10_003).map { Message(it, "Bob", "$it") } + messages
    waitForIdle()
    println("first row before: $before, after 3 new ones: ${state.layoutInfo.visibleItemsInfo.first().key}")
}
