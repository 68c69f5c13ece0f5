// snippet:doc https://api.dart.dev/dart-core/Duration-class.html Duration
// snippet:prints 2025-03-04 12:00:00.000Z 2 1.5 2.0
// snippet:prints 2025-03-04 12:01:00.000Z 0 null null
// snippet:prints 2025-03-04 12:02:00.000Z 1 4.0 4.0
// snippet:prints 1969-12-31 23:59:00.000Z
// snippet:prints 0
import 'dart:math';

typedef Reading = ({DateTime time, double value});
typedef Bucket = ({DateTime start, int count, double? mean, double? highest});

/// Gathers readings into equal intervals; an interval without readings is there too, with count 0.
List<Bucket> buckets(List<Reading> readings, Duration width) {
  if (readings.isEmpty) return const [];
  int slot(DateTime time) => // in whole numbers; % is never negative, so it rounds down before 1970, too
      (time.microsecondsSinceEpoch - time.microsecondsSinceEpoch % width.inMicroseconds) ~/ width.inMicroseconds;
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

// snippet:check
void main() {
  final noon = DateTime.utc(2025, 3, 4, 12);
  Reading reading(int second, double value) => (time: noon.add(Duration(seconds: second)), value: value);
  for (final bucket in buckets([reading(130, 4), reading(0, 1), reading(59, 2)], const Duration(minutes: 1))) {
    print('${bucket.start} ${bucket.count} ${bucket.mean} ${bucket.highest}');
  }
  print(buckets([(time: DateTime.utc(1969, 12, 31, 23, 59, 30), value: 1)], const Duration(minutes: 1)).single.start);
  print(buckets([], const Duration(minutes: 1)).length);
  final latest = DateTime.utc(2300).subtract(const Duration(microseconds: 1));
  assert(buckets([(time: latest, value: 1)], const Duration(hours: 1)).single.start == DateTime.utc(2299, 12, 31, 23));
}
