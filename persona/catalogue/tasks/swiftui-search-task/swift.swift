// snippet:doc https://developer.apple.com/documentation/swiftui/view/task(id:priority:_:) task(id:priority:_:)
// snippet:about SwiftUI
// snippet:needs iOS 17
import SwiftUI

struct SearchScreen: View {
    let search: (String) async throws -> [String]

    @State private var text = ""
    @State private var hits: [String] = []
    @State private var failed = false

    var body: some View {
        NavigationStack {
            List(hits, id: \.self) { Text($0) } // each hit occurs once
                .overlay { if failed { ContentUnavailableView("Search failed", systemImage: "xmark.circle") } }
                .searchable(text: $text)
        }
        .task(id: text) {
            do {
                try await Task.sleep(for: .milliseconds(300)) // cancelled by the next letter
                let found = text.count < 2 ? [] : try await search(text)
                try Task.checkCancellation()
                (hits, failed) = (found, false)
            } catch {
                if !Task.isCancelled { (hits, failed) = ([], true) }
            }
        }
    }
}
