// snippet:doc https://docs.flutter.dev/perf/isolates Isolates
// snippet:about Flutter
// snippet:prints passed reads products
// snippet:prints passed a mistake arrives as an exception
import 'dart:convert';
import 'dart:isolate';

import 'package:flutter/services.dart';
// snippet:check
import 'package:flutter_test/flutter_test.dart';
// snippet:end

final class Product {
  const Product(this.name, this.cents);

  factory Product.fromJson(Object? json) => switch (json) {
        {'name': final String name, 'cents': final int cents} => Product(name, cents),
        _ => throw FormatException('no product: $json'),
      };

  final String name;
  final int cents;
}

List<Product> parseProducts(Uint8List bytes) => switch (json.fuse(utf8).decode(bytes)) {
      final List<Object?> list => [for (final entry in list) Product.fromJson(entry)],
      _ => throw const FormatException('expected a list of products'),
    };

Future<List<Product>> loadProducts(AssetBundle bundle) async {
  final data = await bundle.load('assets/products.json'); // in pubspec.yaml, below flutter: assets:
  final bytes = Uint8List.sublistView(data); // only this is copied to the isolate
  return Isolate.run(() => parseProducts(bytes));
}

// snippet:check
class _Bundle extends CachingAssetBundle {
  _Bundle(this.text);
  final String text;
  final port = ReceivePort(); // cannot be sent to an isolate: copying this bundle would fail

  @override
  Future<ByteData> load(String key) async => ByteData.sublistView(utf8.encode(text));
}

void main() {
  test('reads products', () async {
    final bundle = _Bundle('[{"name": "Tea", "cents": 450}, {"name": "Cup", "cents": 1200}]');
    final products = await loadProducts(bundle);
    expect([for (final product in products) '${product.name} ${product.cents}'], ['Tea 450', 'Cup 1200']);
    bundle.port.close();
  });
  test('a mistake arrives as an exception', () async {
    for (final text in ['{}', '[{"name": "Tea"}]', '[{"name": "Tea", "cents": "450"}]', '[']) {
      final bundle = _Bundle(text);
      await expectLater(loadProducts(bundle), throwsFormatException, reason: text);
      bundle.port.close();
    }
  });
}
