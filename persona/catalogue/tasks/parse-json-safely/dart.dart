// snippet:doc https://dart.dev/language/patterns#validating-incoming-json Validating JSON with patterns
// snippet:prints Ulm 21.5 null, Ulm 3.0 wet
// snippet:prints celsius: expected num, got Null
// snippet:prints city: expected String, got int
// snippet:prints celsius: expected num, got String
// snippet:prints expected an object
// snippet:prints Unexpected end of input
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
    final other => throw FormatException('$name: expected $T, got ${other.runtimeType}'),
  };

  final String city;
  final double celsius;
  final String? note;
}

// snippet:check
void main() {
  String report(String json) {
    try {
      final Weather(:city, :celsius, :note) = Weather.fromJson(json);
      return '$city $celsius $note';
    } on FormatException catch (e) {
      return e.message;
    }
  }

  print('${report('{"city": "Ulm", "celsius": 21.5, "note": null}')}, ${report('{"city": "Ulm", "celsius": 3, "note": "wet"}')}');
  print(report('{"city": "Ulm"}'));
  print(report('{"city": 7, "celsius": 1}'));
  print(report('{"city": "Ulm", "celsius": "1"}'));
  print(report('[]'));
  print(report('{"city": '));
}
