// snippet:doc https://developer.apple.com/documentation/swiftui/managing-model-data-in-your-app Model data
// snippet:about SwiftUI
// snippet:needs iOS 17, Xcode 16
import Observation
import SwiftUI

@MainActor @Observable
final class Cart {
    var note = ""
    private(set) var cups = 1
    var cents: Int { cups * 450 }

    func add(_ count: Int) { cups = max(1, cups + count) }
}

struct OrderScreen: View {
    @State private var cart = Cart()

    var body: some View {
        Form {
            Stepper("Cups: \(cart.cups)") { cart.add(1) } onDecrement: { cart.add(-1) }
            NoteField(cart: cart)
            LabeledContent("Total", value: Decimal(cart.cents) / 100, format: .currency(code: "EUR"))
        }
    }
}

struct NoteField: View {
    @Bindable var cart: Cart
    var body: some View {
        TextField("Note for the kitchen", text: $cart.note)
    }
}
