// snippet:doc https://pub.dev/packages/crypto package:crypto
import 'dart:io';

import 'package:crypto/crypto.dart';

/// The file's SHA-256 in hexadecimal; the file is streamed, however large it is.
Future<String> checksum(File file) async =>
    (await sha256.bind(file.openRead()).first).toString();

Future<void> main(List<String> arguments) async {
  if (arguments.length != 2) {
    stderr.writeln('usage: dart run verify.dart <file> <sha256>');
    exitCode = 64;
    return;
  }
  final [path, expected] = arguments;
  try {
    final actual = await checksum(File(path));
    final same = actual == expected.toLowerCase();
    print(same ? '$path: unchanged' : '$path: expected $expected, is $actual');
    exitCode = same ? 0 : 1;
  } on FileSystemException catch (e) {
    stderr.writeln('$path: ${e.osError?.message ?? e.message}');
    exitCode = 66;
  }
}
