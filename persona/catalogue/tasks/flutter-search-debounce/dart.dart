// snippet:doc https://api.flutter.dev/flutter/dart-async/Timer-class.html Timer
// snippet:about Flutter
import 'dart:async';

import 'package:flutter/material.dart';

// snippet:check
class SearchPage extends StatefulWidget {
  const SearchPage({super.key, required this.search});
  final Future<List<String>> Function(String text) search;

  @override
  State<SearchPage> createState() => _SearchPageState();
}

// snippet:end
class _SearchPageState extends State<SearchPage> {
  Timer? _timer;
  int _latest = 0;
  List<String>? _hits = []; // null: the search failed

  void _changed(String text) {
    final number = ++_latest; // from now on, older answers are out of date
    _timer?.cancel();
    _timer = Timer(const Duration(milliseconds: 300), () async {
      final hits = await widget.search(text).then<List<String>?>((hits) => hits, onError: (Object _) => null);
      if (mounted && number == _latest) setState(() => _hits = hits);
    });
  }

  @override
  void dispose() {
    _timer?.cancel();
    super.dispose();
  }

  @override
  Widget build(BuildContext context) => Column(children: [
        TextField(onChanged: _changed, decoration: const InputDecoration(labelText: 'Search')),
        if (_hits case final hits?)
          Expanded(child: ListView(children: [for (final hit in hits) ListTile(title: Text(hit))]))
        else
          const Text('The search does not answer.'),
      ]);
}
