// snippet:doc https://api.dart.dev/dart-collection/Queue-class.html Queue
// snippet:prints a
// snippet:prints offline a
// snippet:prints 0 waiting
// snippet:prints a b c d
// snippet:prints a a b c d
import 'dart:collection';

typedef Change = ({String key, Map<String, Object?> body});

/// Changes in order, in memory; each has its own key, so that the server knows a repetition.
class OfflineQueue {
  OfflineQueue(this._send);

  final Future<void> Function(Change change) _send;
  final _waiting = Queue<Change>();
  bool _sending = false;

  Future<void> add(Change change) {
    _waiting.addLast(change);
    return flush();
  }

  Future<void> flush() async {
    if (_sending) return;
    try {
      _sending = true;
      while (_waiting.isNotEmpty) {
        await _send(_waiting.first); // must throw while offline only: a rejected change would stay here
        _waiting.removeFirst();
      }
    } finally {
      _sending = false;
    }
  }
}

// snippet:check
Future<void> main() async {
  final sent = <String>[];
  final arrived = <String>[];
  var online = true;
  final queue = OfflineQueue((change) async {
    sent.add(change.key);
    await Future<void>.delayed(const Duration(milliseconds: 1));
    if (!online) throw StateError('offline');
    arrived.add(change.key);
  });
  await queue.add((key: 'a', body: {}));
  print(arrived.join(' '));
  online = false;
  arrived.clear();
  sent.clear();
  try {
    await queue.add((key: 'a', body: {}));
  } on StateError catch (e) {
    print('${e.message} ${sent.join(' ')}');
  }
  online = true;
  await Future.wait([queue.add((key: 'b', body: {})), queue.add((key: 'c', body: {})), queue.add((key: 'd', body: {}))]);
  print('${queue._waiting.length} waiting');
  print(arrived.join(' '));
  print(sent.join(' '));
}
