// snippet:doc https://docs.flutter.dev/perf/isolates Isolates
// snippet:about Flutter
import 'dart:convert';
import 'dart:isolate';

import 'package:flutter/services.dart';

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
  final data = await bundle.load('assets/products.json');
  final bytes = Uint8List.sublistView(data); // only this is copied to the isolate
  return Isolate.run(() => parseProducts(bytes));
}
