// snippet:doc https://api.dart.dev/dart-math/pow.html pow
// snippet:prints 0.0 0.0625 0.5 0.9375 1.0
// snippet:prints 0.0 1.0 15.0 3.0
import 'dart:math';

double lerp(double from, double to, double t) => from * (1 - t) + to * t; // for t = 1 exactly `to`

/// Slow at both ends; [t] is clamped to 0..1.
double easeInOut(double t) {
  final x = t.clamp(0.0, 1.0);
  return x < 0.5 ? 4 * x * x * x : 1 - pow(2 - 2 * x, 3) / 2;
}

/// Where something that moves from one place to another is after some time.
double positionAt(Duration elapsed, {required Duration total, double from = 0, double to = 1}) =>
    total <= Duration.zero
        ? to
        : lerp(from, to, easeInOut(elapsed.inMicroseconds / total.inMicroseconds));

// snippet:check
void main() {
  print([0, 0.25, 0.5, 0.75, 1].map((t) => easeInOut(t.toDouble())).join(' '));
  print('${easeInOut(-1)} ${easeInOut(2)} ${positionAt(const Duration(milliseconds: 500), total: const Duration(seconds: 1), from: 10, to: 20)} '
      '${positionAt(Duration.zero, total: Duration.zero, to: 3)}');
}
