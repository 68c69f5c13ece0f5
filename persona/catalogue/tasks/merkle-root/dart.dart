// snippet:doc https://pub.dev/packages/crypto package:crypto
// snippet:into Put it into a file of a Dart package: dart pub add crypto collection
// snippet:prints 1e3e30cf01655b70ba0ce55f8a9b13c7edabaf5c12718b3bfb74063fa5712d99
// snippet:prints 022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c 4ae191939f548d9934740b88dea2c5cb89bb8870fc4505cd79dec6bbfaaee9cb
// snippet:prints Invalid argument (records): is empty: Instance(length:0) of '_GrowableList'
import 'dart:convert';

import 'package:collection/collection.dart';
import 'package:crypto/crypto.dart';

/// One hash, in hexadecimal, that stands for all [records]. Leaves and nodes begin with different
/// bytes, so that a node cannot pass for a leaf (RFC 6962).
String merkleRoot(List<String> records) {
  if (records.isEmpty) throw ArgumentError.value(records, 'records', 'is empty');
  var level = [
    for (final record in records) sha256.convert([0x00, ...utf8.encode(record)]).bytes,
  ];
  while (level.length > 1) {
    level = [
      for (final pair in level.slices(2))
        switch (pair) {
          [final left, final right] => sha256.convert([0x01, ...left, ...right]).bytes,
          _ => pair.single, // moves up as it is
        },
    ];
  }
  return Digest(level.single).toString();
}

// snippet:check
void main() {
  print(merkleRoot(['alice 5', 'bob 7', 'carol 1']));
  print('${merkleRoot(['a'])} ${merkleRoot('abcdefg'.split(''))}');
  try {
    merkleRoot([]);
  } on ArgumentError catch (e) {
    print(e);
  }
}
