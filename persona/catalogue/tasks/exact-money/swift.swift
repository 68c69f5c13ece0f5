// snippet:doc https://developer.apple.com/documentation/foundation/decimal Decimal
import Foundation

struct Money: Equatable {
    let cents: Int
    let currency: String

    /// Parts in proportion to the weights that add up to exactly this amount.
    func split(by weights: [Int]) -> [Money] {
        precondition(
            cents >= 0 && weights.allSatisfy { $0 > 0 },
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
