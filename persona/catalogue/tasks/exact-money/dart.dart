// snippet:doc https://dart.dev/language/extension-types Extension types
// snippet:description Split an amount of whole cents by weights without floating point. A running share of the whole is rounded down,
// snippet:description and each part is what it grows by: less than a cent from its exact share, and the parts add up to the whole.
// snippet:needs Dart 3.3
// snippet:prints (33.33, 33.33, 33.34)
// snippet:prints [0, 1, 0, 1, 2]
/// An amount in whole cents: no double can lose one. Costs no more than an int at run time.
extension type const Cents(int value) {
  Cents operator +(Cents other) => Cents(value + other.value);

  /// Parts in proportion to [weights] that add up to exactly this amount.
  /// The amount times the sum of the weights must stay below 2^53 on the web, 2^63 elsewhere.
  List<Cents> split(List<int> weights) {
    if (value < 0 || weights.isEmpty || weights.any((w) => w <= 0)) {
      throw ArgumentError('the amount must not be negative, weights must be positive');
    }
    final all = weights.reduce((a, b) => a + b);
    var weight = 0, given = 0;
    final parts = <Cents>[];
    for (final w in weights) {
      weight += w;
      final part = value * weight ~/ all - given; // due so far, less what went before: nothing gets lost
      parts.add(Cents(part));
      given += part;
    }
    return parts;
  }

  String get text =>
      '${value < 0 ? '-' : ''}${(value ~/ 100).abs()}.${value.remainder(100).abs().toString().padLeft(2, '0')}';
}

void main() {
  print(Cents(10000).split([1, 1, 1]).map((part) => part.text)); // (33.33, 33.33, 33.34)
  // snippet:check
  print(Cents(4).split([1, 1, 1, 1, 4]));
  // snippet:end
}
