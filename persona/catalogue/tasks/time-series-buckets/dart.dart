// snippet:doc https://api.dart.dev/dart-core/Duration-class.html Duration
import 'dart:math';

typedef Reading = ({DateTime time, double value});
typedef Bucket = ({DateTime start, int count, double? mean, double? highest});

/// Gathers readings into equal intervals; an interval without readings is there too, with count 0.
List<Bucket> buckets(List<Reading> readings, Duration width) {
  if (readings.isEmpty) return const [];
  int slot(DateTime time) => time.microsecondsSinceEpoch ~/ width.inMicroseconds;
  final groups = <int, List<double>>{};
  for (final (:time, :value) in readings) {
    groups.putIfAbsent(slot(time), () => []).add(value);
  }
  final last = groups.keys.reduce(max);
  return [
    for (var i = groups.keys.reduce(min); i <= last; i++)
      if (groups[i] case final values?)
        (
          start: _start(i, width),
          count: values.length,
          mean: values.reduce((a, b) => a + b) / values.length,
          highest: values.reduce(max),
        )
      else
        (start: _start(i, width), count: 0, mean: null, highest: null),
  ];
}

DateTime _start(int slot, Duration width) =>
    DateTime.fromMicrosecondsSinceEpoch(slot * width.inMicroseconds, isUtc: true);
