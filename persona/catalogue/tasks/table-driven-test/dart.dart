// snippet:doc https://pub.dev/packages/test package:test
import 'package:test/test.dart';

String initials(String name) => name
    .split(RegExp(r'\s+'))
    .where((word) => word.isNotEmpty)
    .map((word) => word[0].toUpperCase())
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
