// snippet:doc https://pub.dev/packages/args package:args
// snippet:prints a.arb -> out
// snippet:prints 0 64
// snippet:prints Converts translations.
// snippet:check
import 'dart:async';
// snippet:end
import 'dart:io';

import 'package:args/args.dart';

final parser = ArgParser()
  ..addOption('output', abbr: 'o', help: 'Folder to write to.', defaultsTo: 'build')
  ..addOption('format', allowed: ['json', 'csv'], defaultsTo: 'json')
  ..addFlag('verbose', abbr: 'v', negatable: false, help: 'Say what happens.')
  ..addFlag('help', abbr: 'h', negatable: false, help: 'Show this text.');

void main(List<String> arguments) {
  final ArgResults options;
  try {
    options = parser.parse(arguments);
  } on FormatException catch (e) {
    stderr.writeln('${e.message}\n\n${parser.usage}');
    exitCode = 64; // a wrong command line, by the convention of sysexits
    return;
  }
  if (options.flag('help')) {
    print('Converts translations.\n\nusage: convert [options] [<file>...]\n${parser.usage}');
    return;
  }
  for (final file in options.rest) {
    if (options.flag('verbose')) print('$file -> ${options.option('output')}');
  }
}

// snippet:check
void check() {
  main(['-v', '--output=out', '--format', 'csv', 'a.arb']);
  final before = exitCode;
  main(['--format', 'xml']);
  print('$before $exitCode');
  exitCode = 0;
  runZoned(() => main(['-h']), zoneSpecification: ZoneSpecification(print: (_, parent, zone, text) => parent.print(zone, text.split('\n').first)));
}
