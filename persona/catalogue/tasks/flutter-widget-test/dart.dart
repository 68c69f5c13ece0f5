// snippet:doc https://docs.flutter.dev/cookbook/testing/widget/introduction Widget tests
// snippet:into Save it as test/greeter_test.dart of a Flutter app: flutter test
// snippet:about Flutter
// snippet:prints passed greets by name
import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

class Greeter extends StatefulWidget {
  const Greeter({super.key});
  @override
  State<Greeter> createState() => _GreeterState();
}

class _GreeterState extends State<Greeter> {
  String _name = '';

  @override
  Widget build(BuildContext context) => Column(children: [
        TextField(
            onChanged: (name) => setState(() => _name = name), decoration: const InputDecoration(labelText: 'Name')),
        Text(_name.isEmpty ? 'Who are you?' : 'Hello, $_name!'),
      ]);
}

void main() {
  testWidgets('greets by name', (tester) async {
    await tester.pumpWidget(const MaterialApp(home: Scaffold(body: Greeter())));
    expect(find.text('Who are you?'), findsOneWidget);

    await tester.enterText(find.widgetWithText(TextField, 'Name'), 'Ada');
    await tester.pump();

    expect(find.text('Hello, Ada!'), findsOneWidget);
  });
}
