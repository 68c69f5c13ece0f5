// snippet:doc https://pub.dev/packages/crypto package:crypto
// snippet:prints abc.txt: unchanged
// snippet:prints abc.txt: unchanged
// snippet:prints abc.txt: expected 00, is ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
// snippet:prints 1
// snippet:prints 66
// snippet:prints 64
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

// snippet:check
// ignore: main_first_positional_parameter_type
Future<void> check() async {
  File('abc.txt').writeAsStringSync('abc');
  const sum = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  await main(['abc.txt', sum]);
  await main(['abc.txt', sum.toUpperCase()]);
  await main(['abc.txt', '00']);
  print(exitCode);
  await main(['gone.txt', sum]);
  print(exitCode);
  await main([]);
  print(exitCode);
  exitCode = 0;
}
