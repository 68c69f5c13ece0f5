// snippet:doc https://docs.flutter.dev/cookbook/forms/validation Form validation
// snippet:about Flutter
import 'package:flutter/material.dart';

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
      await widget.send(_email);
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
