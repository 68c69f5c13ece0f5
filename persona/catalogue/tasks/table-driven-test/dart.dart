// snippet:doc https://pub.dev/packages/test package:test
// snippet:into Save it as test/initials_test.dart of a package: dart pub add dev:test, then dart test
// snippet:check
// The runner of the check prints this; the usual one says it in other words.
// snippet:prints passed initials of "Ada Lovelace" are "AL"
// snippet:prints passed initials of "grace brewster hopper" are "GBH"
// snippet:prints passed initials of "  Plato " are "P"
// snippet:prints passed initials of "" are ""
// snippet:end
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
