// snippet:doc https://developer.apple.com/documentation/swiftui/entry() Entry
// snippet:about SwiftUI
// snippet:needs iOS 15, Xcode 16
import SwiftUI

struct TeaService: Sendable {
    var load: @Sendable () async throws -> [String]

    static let missing = TeaService { fatalError("set .environment(\\.teaService, …)") }
    static func always(_ teas: [String]) -> TeaService { TeaService { teas } }
}

extension EnvironmentValues {
    @Entry var teaService: TeaService = .missing
}

struct TeaMenu: View {
    @Environment(\.teaService) private var service
    @State private var teas: [String]?
    @State private var failed = false

    var body: some View {
        List(teas ?? [], id: \.self) { Text($0) } // each name occurs once
            .overlay {
                if failed { Text("The menu could not be loaded.") } else if teas == nil { ProgressView() }
            }
            .task {
                failed = false // a task begins anew each time the view appears
                do { teas = try await service.load() } catch { failed = teas == nil && !Task.isCancelled }
            }
    }
}

#Preview("Two teas") {
    TeaMenu().environment(\.teaService, .always(["Sencha", "Assam"]))
}
