// snippet:doc https://api.dart.dev/dart-core/Stopwatch-class.html Stopwatch
// snippet:prints true true true
// snippet:prints nothing was measured
// snippet:prints p50 # ms, p95 # ms, p99 # ms
// snippet:prints 7 broken
/// What most frames take, and what the worst of them do: an average would hide the stutter.
class FrameTimes {
  final _microseconds = <int>[];

  T measure<T>(T Function() buildFrame) {
    final watch = Stopwatch()..start();
    try {
      return buildFrame();
    } finally {
      _microseconds.add(watch.elapsedMicroseconds);
    }
  }

  /// The time in milliseconds that the given percentage of all frames did not exceed (nearest rank).
  double percentile(num percent) {
    if (_microseconds.isEmpty) throw StateError('nothing was measured');
    if (!(percent >= 0 && percent <= 100)) throw RangeError.range(percent, 0, 100, 'percent');
    final sorted = [..._microseconds]..sort();
    // 99.9 * 41000 / 100 is above 40959.
    final rank = (percent * sorted.length / 100 - 1e-7).ceil().clamp(1, sorted.length);
    return sorted[rank - 1] / Duration.microsecondsPerMillisecond;
  }

  String report() => [50, 95, 99]
      .map((percent) => 'p$percent ${percentile(percent).toStringAsFixed(1)} ms')
      .join(', ');
}

// snippet:check
void main() {
  final frames = FrameTimes();
  try {
    frames.percentile(50);
  } on StateError catch (e) {
    final known = FrameTimes().._microseconds.addAll([for (var i = 100; i > 0; i--) i * 1000]);
    print('${known.percentile(55) == 55} ${known.percentile(0) == 1} ${known.percentile(100) == 100}');
    final many = FrameTimes().._microseconds.addAll([for (var i = 1; i <= 41000; i++) i * 1000]);
    if (many.percentile(99.9) != 40959) throw StateError('99.9 percent of 41,000');
    print(e.message);
    print(known.report().replaceAll(RegExp(r'\d+\.\d'), '#'));
  }
  final built = frames.measure(() => 7);
  try {
    frames.measure(() => throw 'broken');
  } catch (e) {
    print('$built ${frames._microseconds.length == 2 ? e : frames._microseconds}');
  }
}
