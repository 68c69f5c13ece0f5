// snippet:doc https://docs.flutter.dev/cookbook/forms/validation Form validation
// snippet:into Put it into lib of a Flutter app, below a StatefulWidget SubscribeForm with the field send, used within a Scaffold.
// snippet:about Flutter
// snippet:prints passed explains, sends, and tells of a failure
import 'package:flutter/material.dart';
// snippet:check
import 'dart:async';
import 'package:flutter_test/flutter_test.dart';
// snippet:end

// snippet:check
class SubscribeForm extends StatefulWidget {
  const SubscribeForm({super.key, required this.send});
  final Future<void> Function(String email) send;

  @override
  State<SubscribeForm> createState() => _SubscribeFormState();
}

// snippet:end
String? checkEmail(String? value) =>
    RegExp(r'^[^\s@]+@[^\s@]+$').hasMatch(value?.trim() ?? '') ? null : 'An address like ada@example.com';

class _SubscribeFormState extends State<SubscribeForm> {
  final _form = GlobalKey<FormState>();
  String _email = '';
  bool _sending = false;

  Future<void> _submit() async {
    if (!_form.currentState!.validate()) return;
    setState(() => _sending = true);
    try {
      await widget.send(_email); // of SubscribeForm: final Future<void> Function(String email) send
    } on Exception {
      const failed = SnackBar(content: Text('Not sent. Please try again.'));
      if (mounted) ScaffoldMessenger.of(context).showSnackBar(failed);
    } finally {
      if (mounted) setState(() => _sending = false);
    }
  }

  @override
  Widget build(BuildContext context) => Form(
        key: _form,
        child: Column(children: [
          TextFormField(
            decoration: const InputDecoration(labelText: 'E-mail address'),
            autovalidateMode: AutovalidateMode.onUserInteraction, // of the Form, it would be for all fields at once
            validator: checkEmail, onChanged: (value) => _email = value.trim(),
          ),
          FilledButton(onPressed: _sending ? null : _submit, child: const Text('Subscribe')),
        ]));
}

// snippet:check
// Without the splash, whose shader is an asset that an application brings along.
void main() {
  testWidgets('explains, sends, and tells of a failure', (tester) async {
    final sent = <String>[];
    var answer = Completer<void>();
    Future<void> send(String email) {
      sent.add(email);
      return answer.future;
    }

    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Scaffold(body: SubscribeForm(send: send))));
    const mistake = 'An address like ada@example.com';
    expect(find.text(mistake), findsNothing);
    await tester.tap(find.text('Subscribe'));
    await tester.pump();
    expect(find.text(mistake), findsOneWidget);
    expect(sent, isEmpty);

    await tester.enterText(find.byType(TextFormField), ' ada@example.com ');
    await tester.pump();
    expect(find.text(mistake), findsNothing);
    await tester.tap(find.text('Subscribe'));
    await tester.pump();
    await tester.tap(find.text('Subscribe'));
    expect(sent, ['ada@example.com'], reason: 'the button is off meanwhile');

    answer.completeError(Exception('no network'));
    await tester.pump();
    await tester.pump();
    expect(find.text('Not sent. Please try again.'), findsOneWidget);

    answer = Completer<void>();
    await tester.tap(find.text('Subscribe'));
    await tester.pump();
    expect(sent, hasLength(2));
    await tester.pumpWidget(const SizedBox()); // the page is gone before the answer
    answer.complete();
    await tester.pumpAndSettle();
  });
}
