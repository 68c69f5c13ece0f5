// snippet:doc https://api.flutter.dev/flutter/widgets/State/mounted.html State.mounted
// snippet:into Put it into lib of a Flutter app, as the body of a Scaffold.
// snippet:about Flutter
// snippet:prints passed asks once, and drops what comes late
import 'package:flutter/material.dart';
// snippet:check
import 'dart:async';

import 'package:flutter_test/flutter_test.dart';
// snippet:end

class SearchPage extends StatefulWidget {
  const SearchPage({super.key, required this.search});
  final Future<List<String>> Function(String text) search;

  @override
  State<SearchPage> createState() => _SearchPageState();
}

class _SearchPageState extends State<SearchPage> {
  int _latest = 0;
  List<String>? _hits = []; // null: the search failed

  Future<void> _changed(String text) async {
    final number = ++_latest; // from now on, older ones are out of date
    await Future<void>.delayed(const Duration(milliseconds: 300));
    if (!mounted || number != _latest) return;
    final hits = await widget.search(text).then<List<String>?>((hits) => hits, onError: (Object _) => null);
    if (mounted && number == _latest) setState(() => _hits = hits);
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

// snippet:check
void main() {
  testWidgets('asks once, and drops what comes late', (tester) async {
    final asked = <String, Completer<List<String>>>{};
    Future<List<String>> search(String text) => (asked[text] = Completer()).future;
    const wait = Duration(milliseconds: 300);

    await tester.pumpWidget(MaterialApp(home: Scaffold(body: SearchPage(search: search))));
    await tester.enterText(find.byType(TextField), 't');
    await tester.pump(wait ~/ 2);
    await tester.enterText(find.byType(TextField), 'te');
    await tester.pump(wait);
    expect(asked.keys, ['te']);
    await tester.enterText(find.byType(TextField), 'tea');
    await tester.pump(wait);

    asked['tea']!.complete(['Green tea']);
    await tester.pump();
    asked['te']!.complete(['Tent']);
    await tester.pump();
    expect(find.text('Green tea'), findsOneWidget);
    expect(find.text('Tent'), findsNothing);

    await tester.enterText(find.byType(TextField), 'x');
    await tester.pump(wait);
    asked['x']!.completeError(Exception('503'));
    await tester.pump();
    await tester.pump();
    expect(find.text('The search does not answer.'), findsOneWidget);

    await tester.enterText(find.byType(TextField), 'gone');
    await tester.pumpWidget(const SizedBox());
    await tester.pump(wait);
    expect(asked.containsKey('gone'), isFalse, reason: 'a page that is gone asks nothing');
  });
}
