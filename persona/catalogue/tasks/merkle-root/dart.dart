// snippet:doc https://pub.dev/packages/crypto package:crypto
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
