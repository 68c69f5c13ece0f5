// snippet:doc https://developer.apple.com/documentation/foundation/sortcomparator SortComparator
// snippet:needs macOS 12
// snippet:into Save it as main.swift: swift main.swift
import Foundation

struct Track {
    let title: String
    let artist: String
    let plays: Int
}

let tracks = [
    Track(title: "Étude 10", artist: "Clara", plays: 40),
    Track(title: "Étude 9", artist: "Clara", plays: 40),
    Track(title: "Nocturne", artist: "Fanny", plays: 75),
]

// The most played first; among equals by title as Finder would: 9 before 10, É beside E.
let ranking = tracks.sorted(using: [
    KeyPathComparator(\Track.plays, order: .reverse),
    KeyPathComparator(\Track.title, comparator: .localizedStandard),
])
print(ranking.map(\.title)) // ["Nocturne", "Étude 9", "Étude 10"]

// Without Foundation: a tuple compares element by element.
let byArtist = tracks.sorted { ($0.artist, -$0.plays, $0.title) < ($1.artist, -$1.plays, $1.title) }
