// snippet:doc https://developer.apple.com/documentation/swift/dictionary/subscript(_:default:) Dictionary subscript with default
// snippet:prints South 1 4000, North 2 3050
// snippet:prints 0
struct Order {
    let region: String
    let cents: Int
}

/// Orders and sum of each region, the largest first; equal sums by name.
func perRegion(_ orders: [Order]) -> [(region: String, orders: Int, cents: Int)] {
    var totals: [String: (orders: Int, cents: Int)] = [:]
    for order in orders {
        totals[order.region, default: (0, 0)].orders += 1
        totals[order.region, default: (0, 0)].cents += order.cents
    }
    return totals
        .map { (region: $0.key, orders: $0.value.orders, cents: $0.value.cents) }
        .sorted { ($1.cents, $0.region) < ($0.cents, $1.region) }
}

// snippet:check
let orders = [Order(region: "North", cents: 1050), Order(region: "South", cents: 4000), Order(region: "North", cents: 2000)]
print(perRegion(orders).map { "\($0.region) \($0.orders) \($0.cents)" }.joined(separator: ", "))
print(perRegion([]).count)
