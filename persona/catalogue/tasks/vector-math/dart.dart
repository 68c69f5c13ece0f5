// snippet:doc https://dart.dev/language/methods#operators Operators
import 'dart:math';

class Vector {
  const Vector(this.x, this.y);

  final double x, y;
  static const zero = Vector(0, 0);

  Vector operator +(Vector other) => Vector(x + other.x, y + other.y);
  Vector operator -(Vector other) => Vector(x - other.x, y - other.y);
  Vector operator *(double factor) => Vector(x * factor, y * factor);

  double dot(Vector other) => x * other.x + y * other.y;
  double get length => sqrt(dot(this));

  /// The direction; the zero vector has none and stays zero instead of becoming NaN.
  Vector get unit => length == 0 ? zero : this * (1 / length);

  @override
  bool operator ==(Object other) => other is Vector && other.x == x && other.y == y;

  @override
  int get hashCode => Object.hash(x, y);
}

/// One step of a ball towards a finger on the screen, never beyond it.
Vector towards(Vector ball, Vector finger, double step) =>
    (finger - ball).length <= step ? finger : ball + (finger - ball).unit * step;
