// snippet:doc https://pub.dev/packages/test package:test
// snippet:prints passed initials of "Ada Lovelace" are "AL"
// snippet:prints passed initials of "grace brewster hopper" are "GBH"
// snippet:prints passed initials of "  Plato " are "P"
// snippet:prints passed initials of "" are ""
import 'package:test/test.dart';

String initials(String name) => name
    .split(RegExp(r'\s+'))
    .where((word) => word.isNotEmpty)
    .map((word) => String.fromCharCode(word.runes.first).toUpperCase())
    .join();

void main() {
  group('initials', () {
    const cases = [
      (name: 'Ada Lovelace', expected: 'AL'),
      (name: 'grace brewster hopper', expected: 'GBH'),
      (name: '  Plato ', expected: 'P'),
      (name: '', expected: ''),
    ];
    for (final (:name, :expected) in cases) {
      test('of "$name" are "$expected"', () => expect(initials(name), expected));
    }
  });
}
