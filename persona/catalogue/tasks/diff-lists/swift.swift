// snippet:doc https://developer.apple.com/documentation/swift/identifiable Identifiable
// snippet:prints ["Tea"] ["Bread"] ["Oat milk"]
// snippet:prints true
struct Changes<Item: Identifiable & Equatable> {
    let added: [Item]
    let removed: [Item]
    let updated: [(before: Item, after: Item)]

    /// What happened to the items between two versions of a list; ids must be unique in each.
    init(from before: [Item], to after: [Item]) {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        let kept = Set(after.map(\.id))
        added = after.filter { old[$0.id] == nil }
        removed = before.filter { !kept.contains($0.id) }
        updated = after.compactMap { item in
            guard let was = old[item.id], was != item else { return nil }
            return (was, item)
        }
    }
}

struct Note: Identifiable, Equatable {
    let id: Int
    var text: String
}

let local = [Note(id: 1, text: "Milk"), Note(id: 2, text: "Bread")]
let server = [Note(id: 1, text: "Oat milk"), Note(id: 3, text: "Tea")]
let changes = Changes(from: local, to: server)
print(changes.added.map(\.text), changes.removed.map(\.text), changes.updated.map(\.after.text))

// snippet:usage
let none = Changes(from: server, to: server)
print(none.added.isEmpty && none.removed.isEmpty && none.updated.isEmpty)
