// snippet:doc https://developer.apple.com/documentation/swiftui/view/refreshable(action:) refreshable(action:)
// snippet:about SwiftUI
// snippet:needs iOS 17
import SwiftUI

struct OrdersScreen: View {
    enum Phase { case loading, failed, loaded([String]) }
    let load: () async throws -> [String] // no order twice
    @State private var phase = Phase.loading
    @State private var notice: String?
    @State private var attempt = 0

    var body: some View {
        ZStack { // not Group: there, each branch would start the task anew
            switch phase {
            case .loading: ProgressView("Loading orders")
            case .failed: Button("Could not load. Try again") { phase = .loading; attempt += 1 }
            case .loaded([]): ContentUnavailableView("No orders yet", systemImage: "bag")
            case .loaded(let orders): List(orders, id: \.self) { Text($0) }.refreshable { await refresh() }
            }
        }
        .safeAreaInset(edge: .bottom) { if let notice { Text(notice) } }
        .task(id: attempt) { await refresh() }
    }

    private func refresh() async {
        do {
            phase = .loaded(try await load())
            notice = nil
        } catch {
            if Task.isCancelled { return } // the screen is gone, or a newer attempt runs: no failure to show
            if case .loaded = phase { notice = "Not refreshed: this list may be old." } else { phase = .failed }
        }
    }
}
