// snippet:doc https://api.dart.dev/dart-collection/Queue-class.html Queue
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
        await _send(_waiting.first); // throws while offline: it stays in the queue
        _waiting.removeFirst();
      }
    } finally {
      _sending = false;
    }
  }
}
