// snippet:doc https://developer.apple.com/documentation/swiftui/viewthatfits ViewThatFits
// snippet:about SwiftUI
// snippet:needs iOS 16
import SwiftUI

struct OrderRow: View {
    let name: String
    let cents: Int
    let late: Bool
    @ScaledMetric(relativeTo: .body) private var size: CGFloat = 24

    var body: some View {
        ViewThatFits(in: .horizontal) {
            HStack { title; Spacer(); price }
            VStack(alignment: .leading) { title; price }
        }
        .accessibilityElement(children: .combine)
    }

    private var title: some View {
        Label {
            Text(late ? "\(name), late" : name).foregroundStyle(late ? Color.red : Color.primary)
        } icon: {
            Image(systemName: "cup.and.saucer").resizable().scaledToFit().frame(width: size).accessibilityHidden(true)
        }
    }

    private var price: some View {
        Text(Decimal(cents) / 100, format: .currency(code: "EUR")).monospacedDigit()
    }
}
