// snippet:doc https://dart.dev/language/patterns#validating-incoming-json Validating JSON with patterns
import 'dart:convert';

class Weather {
  const Weather(this.city, this.celsius, {this.note});

  /// Throws a [FormatException] that names the field that is missing or wrong.
  factory Weather.fromJson(String source) => switch (jsonDecode(source)) {
    final Map<String, Object?> json => Weather(
      _read<String>(json, 'city'),
      _read<num>(json, 'celsius').toDouble(),
      note: _read<String?>(json, 'note'), // may be missing
    ),
    _ => throw const FormatException('expected an object'),
  };

  static T _read<T>(Map<String, Object?> json, String name) => switch (json[name]) {
    final T value => value,
    final other => throw FormatException('$name: expected $T, got $other'),
  };

  final String city;
  final double celsius;
  final String? note;
}
