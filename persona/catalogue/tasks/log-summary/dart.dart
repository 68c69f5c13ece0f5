// snippet:doc https://api.dart.dev/dart-convert/LineSplitter-class.html LineSplitter
// snippet:prints 2025-03-04 10:00 2
// snippet:prints 2025-03-04 11:00 0
// snippet:prints 2025-03-05 00:00 1
import 'dart:collection';
import 'dart:convert';
import 'dart:io';

final _line = RegExp(r'^(\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S*\s+([A-Z]+)\b');

/// Errors per hour of a log whose lines begin `2025-03-04T10:15:30Z ERROR`, in order of time.
Future<Map<String, int>> errorsPerHour(Stream<List<int>> log) async {
  final errors = SplayTreeMap<String, int>();
  await for (final line in log.transform(const Utf8Decoder(allowMalformed: true)).transform(const LineSplitter())) {
    final match = _line.firstMatch(line);
    if (match == null) continue; // a line of a stack trace, say
    final [hour!, severity!] = match.groups([1, 2]);
    final isError = severity == 'ERROR' || severity == 'FATAL';
    errors.update(hour, (n) => n + (isError ? 1 : 0), ifAbsent: () => isError ? 1 : 0);
  }
  return errors;
}

Future<void> main() async {
  final errors = await errorsPerHour(File('service.log').openRead());
  errors.forEach((hour, count) => print('${hour.replaceFirst('T', ' ')}:00 $count'));
}

// snippet:check
Future<void> check() {
  File('service.log').writeAsStringSync('''
2025-03-05T00:15:30Z ERROR again
2025-03-04T10:15:30Z ERROR disk full
    at Disk.write
2025-03-04T10:16:30Z FATAL stopped
2025-03-04T10:16:31Z ERROR_COUNT=0
2025-03-04T10:zz ERROR no time
2025-03-04T11:16:30Z  INFO started
''');
  return main();
}
