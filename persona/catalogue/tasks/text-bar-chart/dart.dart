// snippet:doc https://api.dart.dev/dart-core/String/padRight.html String.padRight
// snippet:prints Mon │█████████████████ 5200
// snippet:prints Tue │██████████████████████████ 8100
// snippet:prints Wed │█████████████ 3900
// snippet:prints Thu │████████████████████████████████████████ 12400
// snippet:prints Fri │███████████████████████ 7000
// snippet:prints () (a │ 0)
import 'dart:math';

/// One line for each entry, its bar scaled so that the largest value is [width] characters wide.
Iterable<String> barChart(Map<String, num> data, {int width = 40}) sync* {
  if (data.isEmpty) return;
  final most = data.values.fold<num>(0, max);
  final column = data.keys.map((label) => label.length).reduce(max);
  for (final MapEntry(key: label, :value) in data.entries) {
    final length = most > 0 ? (width * (max(0, value) / most)).round() : 0;
    yield '${label.padRight(column)} │${'█' * length} $value';
  }
}

void main() {
  const steps = {'Mon': 5200, 'Tue': 8100, 'Wed': 3900, 'Thu': 12400, 'Fri': 7000};
  barChart(steps).forEach(print);
  // snippet:check
  print('${barChart({})} ${barChart({'a': 0})}');
  // snippet:end
}
