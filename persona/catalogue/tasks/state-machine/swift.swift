// snippet:description The states and events of a player, each state with what it needs to know, and every allowed step in one
// snippet:description switch. An event that the current state does not allow returns false and changes nothing.
// snippet:doc https://docs.swift.org/swift-book/documentation/the-swift-programming-language/enumerations/ Enumerations
// snippet:prints [true, true, true, false, true]
// snippet:prints paused(url: "intro.m4a", second: 1)
// snippet:prints true stopped
enum Player: Equatable {
    case stopped
    case buffering(url: String)
    case playing(url: String, second: Int)
    case paused(url: String, second: Int)

    enum Event { case play(url: String), ready, pause, resume, tick, stop }

    /// Moves on; false, and nothing changes, if the event is not allowed in this state. What a state
    /// needs to know is part of it: a stopped player has no position.
    mutating func handle(_ event: Event) -> Bool {
        switch (self, event) {
        case (.stopped, .play(let url)): self = .buffering(url: url)
        case (.buffering(let url), .ready): self = .playing(url: url, second: 0)
        case (.playing(let url, let second), .tick): self = .playing(url: url, second: second + 1)
        case (.playing(let url, let second), .pause): self = .paused(url: url, second: second)
        case (.paused(let url, let second), .resume): self = .playing(url: url, second: second)
        case (_, .stop): self = .stopped
        default: return false
        }
        return true
    }
}

var player = Player.stopped
let allowed = [Player.Event.play(url: "intro.m4a"), .ready, .tick, .resume, .pause].map { player.handle($0) }
print(allowed) // [true, true, true, false, true]

// snippet:usage
print(player)
print(player.handle(.stop), player)
