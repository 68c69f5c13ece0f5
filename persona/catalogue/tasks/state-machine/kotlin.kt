// snippet:description The states and events of a search screen, and the step from one state to the next as one function. An event
// snippet:description that means nothing in the current state changes nothing.
// snippet:doc https://kotlinlang.org/docs/sealed-classes.html Sealed classes and interfaces
// snippet:needs Kotlin 1.9
sealed interface Screen {
    data object Idle : Screen
    data class Loading(val query: String, val attempt: Int = 1) : Screen
    data class Results(val items: List<String>) : Screen
    data class Failed(val query: String, val attempt: Int, val reason: String) : Screen
}

sealed interface Event {
    data class Search(val query: String) : Event
    data class Loaded(val query: String, val items: List<String>) : Event
    data class Broke(val query: String, val reason: String) : Event
    data object Retry : Event
}

/** A pure function from state and event to state: easy to test, easy to draw. */
fun Screen.on(event: Event): Screen = when (event) {
    is Event.Search -> Screen.Loading(event.query)
    // The answer to an earlier query comes too late.
    is Event.Loaded -> if (this is Screen.Loading && query == event.query) Screen.Results(event.items) else this
    is Event.Broke ->
        if (this is Screen.Loading && query == event.query) Screen.Failed(query, attempt, event.reason) else this
    Event.Retry -> if (this is Screen.Failed) Screen.Loading(query, attempt + 1) else this
} // no else branch: a new event does not compile until it is handled here
// snippet:usage
// snippet:prints Loading(query=cats, attempt=1)
// snippet:prints Failed(query=cats, attempt=1, reason=offline)
// snippet:prints Loading(query=cats, attempt=2)
// snippet:prints Results(items=[Tom])
fun main() {
    var screen: Screen = Screen.Idle
    for (event in listOf(
        Event.Search("cats"), Event.Broke("cats", "offline"), Event.Retry, Event.Loaded("cats", listOf("Tom")),
    )) {
        screen = screen.on(event)
        println(screen)
    }
    // snippet:check
    check(Screen.Loading("dogs").on(Event.Loaded("cats", listOf("Tom"))) == Screen.Loading("dogs"))
    check(Screen.Idle.on(Event.Retry) == Screen.Idle)
    // snippet:usage
}
