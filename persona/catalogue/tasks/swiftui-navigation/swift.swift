// snippet:doc https://developer.apple.com/documentation/swiftui/navigationstack NavigationStack
// snippet:about SwiftUI
// snippet:needs iOS 16
import SwiftUI

struct Tea: Identifiable, Hashable {
    let id: Int
    let name: String
    let origin: String
}

struct TeaList: View {
    let teas: [Tea]
    @Binding var path: [Tea] // @State of the app, so that a notification can set it

    var body: some View {
        NavigationStack(path: $path) {
            List(teas) { tea in
                NavigationLink(tea.name, value: tea)
            }
            .navigationTitle("Teas")
            .navigationDestination(for: Tea.self) { tea in
                VStack {
                    Text("From \(tea.origin)")
                    Button("Back to all teas") { path.removeAll() }
                }
                .navigationTitle(tea.name)
            }
        }
    }
}
