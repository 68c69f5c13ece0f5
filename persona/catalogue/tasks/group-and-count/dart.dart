// snippet:doc https://api.dart.dev/dart-core/Map/update.html Map.update
// snippet:prints (cents: 4000, orders: 1, region: South)
// snippet:prints (cents: 3050, orders: 2, region: North)
// snippet:prints []
typedef Order = ({String region, int cents});

/// Orders and sum of each region, the largest first.
List<({String region, int orders, int cents})> perRegion(Iterable<Order> orders) {
  final totals = <String, ({int orders, int cents})>{};
  for (final (:region, :cents) in orders) {
    totals.update(
      region,
      (sum) => (orders: sum.orders + 1, cents: sum.cents + cents),
      ifAbsent: () => (orders: 1, cents: cents),
    );
  }
  return [
    for (final MapEntry(:key, :value) in totals.entries)
      (region: key, orders: value.orders, cents: value.cents),
  ]..sort((a, b) => b.cents.compareTo(a.cents));
}

// snippet:check
void main() {
  perRegion([(region: 'North', cents: 1050), (region: 'South', cents: 4000), (region: 'North', cents: 2000)]).forEach(print);
  print(perRegion([]));
}
