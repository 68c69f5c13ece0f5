// snippet:doc https://api.flutter.dev/flutter/widgets/FutureBuilder-class.html FutureBuilder
// snippet:about Flutter
import 'package:flutter/material.dart';

// snippet:check
class Orders extends StatefulWidget {
  const Orders({super.key, required this.load});
  final Future<List<String>> Function() load;

  @override
  State<Orders> createState() => _OrdersState();
}

// snippet:end
class _OrdersState extends State<Orders> {
  late Future<List<String>> _orders;

  @override
  void initState() {
    super.initState();
    _orders = widget.load(); // not in build
  }

  void _retry() => setState(() {
        _orders = widget.load();
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
