// snippet:doc https://developer.apple.com/documentation/foundation/decimal Decimal
// snippet:description Split an amount of whole cents by weights without floating point. Each part is a share of what is still
// snippet:description left, so the last one takes the rest and the parts add up to the whole.
// snippet:prints [3333, 3333, 3334]
// snippet:prints ["€33.33", "€33.33", "€33.34"]
// snippet:prints [0, 1, 4] 100
import Foundation

struct Money: Equatable {
    let cents: Int
    let currency: String // one that has cents

    /// Parts in proportion to the weights that add up to exactly this amount.
    func split(by weights: [Int]) -> [Money] {
        precondition(
            cents >= 0 && !weights.isEmpty && weights.allSatisfy { $0 > 0 },
            "the amount must not be negative, weights must be positive"
        )
        var left = cents
        var weight = weights.reduce(0, +)
        return weights.map { w in
            let part = left * w / weight // a share of what is left: nothing gets lost
            left -= part
            weight -= w
            return Money(cents: part, currency: currency)
        }
    }

    var formatted: String {
        (Decimal(cents) / 100).formatted(.currency(code: currency))
    }
}

let parts = Money(cents: 10_000, currency: "EUR").split(by: [1, 1, 1])
print(parts.map(\.cents)) // [3333, 3333, 3334]
print(parts.map(\.formatted)) // as people write it where they live

// snippet:check
print(
    Money(cents: 5, currency: "EUR").split(by: [1, 3, 9]).map(\.cents),
    Money(cents: 100, currency: "EUR").split(by: [7, 1, 5, 3]).map(\.cents).reduce(0, +)
)
