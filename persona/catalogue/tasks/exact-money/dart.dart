// snippet:doc https://dart.dev/language/extension-types Extension types
// snippet:description Split an amount of whole cents by weights without floating point. Each part is a share of what is still
// snippet:description left, so the last one takes the rest and the parts add up to the whole.
// snippet:needs Dart 3.3
// snippet:prints (33.33, 33.33, 33.34)
/// An amount in whole cents: no double can lose one. Costs no more than an int at run time.
extension type const Cents(int value) {
  Cents operator +(Cents other) => Cents(value + other.value);

  /// Parts in proportion to [weights] that add up to exactly this amount.
  /// The amount times the sum of the weights must stay below 2^53 on the web, 2^63 elsewhere.
  List<Cents> split(List<int> weights) {
    if (value < 0 || weights.isEmpty || weights.any((w) => w <= 0)) {
      throw ArgumentError('the amount must not be negative, weights must be positive');
    }
    var left = value;
    var weight = weights.reduce((a, b) => a + b);
    final parts = <Cents>[];
    for (final w in weights) {
      final part = left * w ~/ weight; // a share of what is left: nothing gets lost
      parts.add(Cents(part));
      left -= part;
      weight -= w;
    }
    return parts;
  }

  String get text =>
      '${value < 0 ? '-' : ''}${(value ~/ 100).abs()}.${value.remainder(100).abs().toString().padLeft(2, '0')}';
}

void main() => print(Cents(10000).split([1, 1, 1]).map((part) => part.text)); // (33.33, 33.33, 33.34)
