// snippet:doc https://dart.dev/language/methods#operators Operators
// snippet:prints 5.0 11.0 true
// snippet:prints Vector(0.0, 0.0) Vector(3.0, 4.0) 2.0 true
import 'dart:math';

class Vector {
  const Vector(this.x, this.y);

  final double x, y;
  static const zero = Vector(0, 0);

  Vector operator +(Vector other) => Vector(x + other.x, y + other.y);
  Vector operator -(Vector other) => Vector(x - other.x, y - other.y);
  Vector operator *(double factor) => Vector(x * factor, y * factor);

  double dot(Vector other) => x * other.x + y * other.y;
  /// For components between about 1e-150 and 1e150: their squares must fit into a double.
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

// snippet:check
void main() {
  String text(Vector v) => 'Vector(${v.x}, ${v.y})';
  const finger = Vector(3, 4);
  print('${finger.length} ${finger.dot(const Vector(1, 2))} ${finger == const Vector(3, 4) && finger.hashCode == const Vector(3, 4).hashCode}');
  print('${text(Vector.zero.unit)} ${text(towards(Vector.zero, finger, 9))} ${towards(Vector.zero, finger, 2).length} '
      '${towards(finger, finger, 1) == finger}');
}
