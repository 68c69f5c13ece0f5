// snippet:doc https://api.dart.dev/dart-async/Timer-class.html Timer
// snippet:prints search for dart
// snippet:prints still search for dart
import 'dart:async';

/// Calls [action] with the latest value once the calls have been quiet for [quiet].
///
/// Make one in a widget's `initState` and call [dispose] in its `dispose`.
class Debouncer<T> {
  Debouncer(this.action, {this.quiet = const Duration(milliseconds: 300)});

  final void Function(T value) action;
  final Duration quiet;
  Timer? _timer;

  void call(T value) {
    _timer?.cancel();
    _timer = Timer(quiet, () => action(value));
  }

  void dispose() => _timer?.cancel();
}

void main() {
  final search = Debouncer<String>((text) => print('search for $text'));
  ['d', 'da', 'dart'].forEach(search.call); // search for dart
  // snippet:check
  Timer(const Duration(milliseconds: 600), () {
    search('never');
    search.dispose();
    Timer(const Duration(milliseconds: 600), () => print('still search for dart'));
  });
  // snippet:end
}
