// snippet:doc https://developer.apple.com/documentation/swift/int Int
// snippet:description Split an amount of whole cents by weights without floating point. A running share of the whole is rounded down,
// snippet:description and each part is what it grows by: less than a cent from its exact share, and the parts add up to the whole.
// snippet:prints [3333, 3333, 3334]
// snippet:prints [0, 1, 4] 100
// snippet:prints [0, 1, 0, 1, 2]
struct Money: Equatable {
    let cents: Int
    let currency: String // one that has cents

    /// Parts in proportion to the weights that add up to exactly this amount.
    func split(by weights: [Int]) -> [Money] {
        precondition(
            cents >= 0 && !weights.isEmpty && weights.allSatisfy { $0 > 0 },
            "the amount must not be negative, weights must be positive"
        )
        let all = weights.reduce(0, +)
        var weight = 0, given = 0
        return weights.map { w in
            weight += w
            let part = cents * weight / all - given // due so far, less what went before: nothing gets lost
            given += part
            return Money(cents: part, currency: currency)
        }
    }
}

let parts = Money(cents: 10_000, currency: "EUR").split(by: [1, 1, 1])
print(parts.map(\.cents)) // [3333, 3333, 3334]

// snippet:usage
print(
    Money(cents: 5, currency: "EUR").split(by: [1, 3, 9]).map(\.cents),
    Money(cents: 100, currency: "EUR").split(by: [7, 1, 5, 3]).map(\.cents).reduce(0, +)
)
print(Money(cents: 4, currency: "EUR").split(by: [1, 1, 1, 1, 4]).map(\.cents))
