// snippet:doc https://api.dart.dev/dart-core/int/toRadixString.html int.toRadixString
// snippet:prints 00000000  47 49 46 38 39 61 01 00 20 61 6e 64 20 74 68 65  GIF89a.. and the
// snippet:prints 00000010  6e 20 73 6f 6d 65                                n some
/// Offset, bytes in hexadecimal and printable characters, sixteen to a row.
Iterable<String> hexDump(List<int> bytes) sync* {
  for (var at = 0; at < bytes.length; at += 16) {
    final row = bytes.skip(at).take(16);
    final hex = row.map((byte) => byte.toRadixString(16).padLeft(2, '0')).join(' ');
    final text = row.map((byte) => byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : '.');
    yield '${at.toRadixString(16).padLeft(8, '0')}  ${hex.padRight(47)}  ${text.join()}';
  }
}

void main() => hexDump('GIF89a\x01\x00 and then some'.codeUnits).forEach(print);
