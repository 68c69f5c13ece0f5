// snippet:doc https://api.flutter.dev/flutter/widgets/Dismissible-class.html Dismissible
// snippet:into Put it into lib of a Flutter app, as the body of a Scaffold.
// snippet:about Flutter
// snippet:prints passed swipes away and takes back
// snippet:prints passed builds only what is seen
import 'package:flutter/material.dart';
// snippet:check
import 'package:flutter_test/flutter_test.dart';
// snippet:end

class Inbox extends StatefulWidget {
  const Inbox({super.key, required this.messages});
  final List<String> messages;

  @override
  State<Inbox> createState() => _InboxState();
}

class _InboxState extends State<Inbox> {
  late final List<String> _messages = List.of(widget.messages);

  void _remove(int index) {
    final message = _messages[index];
    setState(() => _messages.removeAt(index));
    final undo = SnackBarAction(label: 'Undo', onPressed: () {
      if (mounted) setState(() => _messages.insert(index.clamp(0, _messages.length), message));
    });
    ScaffoldMessenger.of(context)
      ..hideCurrentSnackBar() // one with an action may stay, and the next would wait behind it
      ..showSnackBar(SnackBar(content: Text('Deleted “$message”'), action: undo));
  }

  @override
  Widget build(BuildContext context) => ListView.builder(
        itemCount: _messages.length,
        itemBuilder: (context, index) => Dismissible(
          key: ValueKey(_messages[index]), // unique: in an app, the message's id
          onDismissed: (_) => _remove(index),
          child: ListTile(title: Text(_messages[index])),
        ),
      );
}

// snippet:check
// Without the splash, whose shader is an asset that an application brings along.
void main() {
  testWidgets('swipes away and takes back', (tester) async {
    final messages = ['One', 'Two', 'Three'];
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Scaffold(body: Inbox(messages: messages))));
    await tester.drag(find.text('Two'), const Offset(600, 0));
    await tester.pumpAndSettle();
    expect(find.text('Two'), findsNothing);
    expect(messages, hasLength(3), reason: "the widget's own list is left alone");

    await tester.drag(find.text('One'), const Offset(600, 0));
    await tester.pumpAndSettle();
    expect(find.text('Deleted “One”'), findsOneWidget, reason: 'the last one can be taken back');
    await tester.tap(find.text('Undo'));
    await tester.pumpAndSettle();
    final titles = [for (final text in tester.widgetList<Text>(find.descendant(of: find.byType(ListTile), matching: find.byType(Text)))) text.data];
    expect(titles, ['One', 'Three']);
  });

  testWidgets('builds only what is seen', (tester) async {
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Scaffold(body: Inbox(messages: [for (var i = 0; i < 1000; i++) 'No. $i']))));
    expect(tester.widgetList(find.byType(ListTile, skipOffstage: false)).length, lessThan(30));
  });
}
