// snippet:doc https://developer.apple.com/documentation/swiftdata SwiftData
// snippet:about SwiftUI
// snippet:needs iOS 17
import SwiftData
import SwiftUI

@Model
final class Tea {
    @Attribute(.unique) var name: String // once saved, a second one of that name replaces the first
    var added: Date
    init(name: String, added: Date = .now) {
        self.name = name
        self.added = added
    }
}

struct Shelf: View { // the app has .modelContainer(for: Tea.self)
    @Environment(\.modelContext) private var context
    @Query(sort: \Tea.added, order: .reverse) private var teas: [Tea]
    @State private var name = ""

    var body: some View {
        List {
            TextField("New tea", text: $name).onSubmit {
                let new = name.trimmingCharacters(in: .whitespaces)
                if !new.isEmpty { context.insert(Tea(name: new)) } // saved by itself, soon; save() when it must be now
                name = ""
            }
            ForEach(teas) { Text($0.name) }
                .onDelete { offsets in offsets.map { teas[$0] }.forEach(context.delete) }
        }
    }
}
