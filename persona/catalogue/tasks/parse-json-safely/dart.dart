// snippet:doc https://dart.dev/language/patterns#validating-incoming-json Validating JSON with patterns
import 'dart:convert';

class Weather {
  const Weather(this.city, this.celsius, {this.note});

  /// Throws a [FormatException] that says what was expected.
  factory Weather.fromJson(String source) => switch (jsonDecode(source)) {
    {'city': final String city, 'celsius': final num celsius, 'note': final String note} =>
      Weather(city, celsius.toDouble(), note: note),
    {'city': final String city, 'celsius': final num celsius} =>
      Weather(city, celsius.toDouble()),
    _ => throw const FormatException('expected a city (text) and celsius (number)'),
  };

  final String city;
  final double celsius;
  final String? note;
}
