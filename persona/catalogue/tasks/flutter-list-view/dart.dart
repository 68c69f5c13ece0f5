// snippet:doc https://api.flutter.dev/flutter/widgets/Dismissible-class.html Dismissible
// snippet:about Flutter
import 'package:flutter/material.dart';

// snippet:check
class Inbox extends StatefulWidget {
  const Inbox({super.key, required this.messages});
  final List<String> messages;

  @override
  State<Inbox> createState() => _InboxState();
}

// snippet:end
class _InboxState extends State<Inbox> {
  late final List<String> _messages = List.of(widget.messages);

  void _remove(int index) {
    final message = _messages[index];
    setState(() => _messages.removeAt(index));
    ScaffoldMessenger.of(context).showSnackBar(SnackBar(
      content: Text('Deleted “$message”'),
      action: SnackBarAction(label: 'Undo', onPressed: () {
        if (mounted) setState(() => _messages.insert(index.clamp(0, _messages.length), message));
      }),
    ));
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
