// snippet:doc https://api.flutter.dev/flutter/widgets/FutureBuilder-class.html FutureBuilder
// snippet:into Put it into lib of a Flutter app, as the body of a Scaffold.
// snippet:about Flutter
// snippet:prints passed loads once, and again on request
// snippet:prints passed says that there is nothing
// snippet:prints passed fails again at once
import 'package:flutter/material.dart';
// snippet:check
import 'dart:async';
import 'package:flutter_test/flutter_test.dart';
// snippet:end

class Orders extends StatefulWidget {
  const Orders({super.key, required this.load});
  final Future<List<String>> Function() load;

  @override
  State<Orders> createState() => _OrdersState();
}

class _OrdersState extends State<Orders> {
  late Future<List<String>> _orders;

  @override
  void initState() {
    super.initState();
    _orders = widget.load(); // not in build
  }

  void _retry() => setState(() {
        _orders = widget.load()..ignore(); // it may fail before the builder listens, which is a frame later
      });

  @override
  Widget build(BuildContext context) => FutureBuilder(
        future: _orders,
        builder: (context, snapshot) => switch (snapshot) {
          AsyncSnapshot(connectionState: != ConnectionState.done) => const Center(child: CircularProgressIndicator()),
          AsyncSnapshot(hasError: true) => TextButton(onPressed: _retry, child: const Text('Failed. Try again')),
          AsyncSnapshot(data: []) => const Center(child: Text('No orders yet')),
          AsyncSnapshot(:final data) => ListView(children: [for (final order in data!) ListTile(title: Text(order))]),
        },
      );
}

// snippet:check
// Without the splash, whose shader is an asset that an application brings along.
void main() {
  testWidgets('loads once, and again on request', (tester) async {
    final answers = <Completer<List<String>>>[];
    Future<List<String>> load() => (answers..add(Completer())).last.future;
    Future<void> show() => tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Scaffold(body: Orders(load: load))));

    await show();
    await show(); // built anew: not loaded anew
    expect(answers, hasLength(1));
    expect(find.byType(CircularProgressIndicator), findsOneWidget);

    answers.last.completeError(Exception('secret host name'));
    await tester.pump();
    expect(find.textContaining('secret'), findsNothing);
    await tester.tap(find.text('Failed. Try again'));
    await tester.pump();
    expect(answers, hasLength(2));
    expect(find.byType(CircularProgressIndicator), findsOneWidget);

    answers.last.complete(['Tea', 'Cup']);
    await tester.pump();
    expect(find.byType(ListTile), findsNWidgets(2));
  });

  testWidgets('says that there is nothing', (tester) async {
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Orders(load: () async => [])));
    await tester.pump();
    expect(find.text('No orders yet'), findsOneWidget);
  });

  testWidgets('fails again at once', (tester) async {
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Orders(load: () async => throw Exception('offline'))));
    await tester.pump();
    await tester.tap(find.text('Failed. Try again'));
    await tester.pump();
    await tester.pump();
    expect(find.text('Failed. Try again'), findsOneWidget);
  });
}
