// snippet:doc https://docs.flutter.dev/data-and-backend/state-mgmt/simple Simple state management
// snippet:about Flutter
// snippet:prints passed counts what is in the cart
import 'dart:collection';

import 'package:flutter/material.dart';
// snippet:check
import 'package:flutter_test/flutter_test.dart';
// snippet:end

class Cart extends ChangeNotifier {
  final List<String> _items = [];
  UnmodifiableListView<String> get items => UnmodifiableListView(_items);

  void add(String item) {
    _items.add(item);
    notifyListeners();
  }
}

class CartButton extends StatelessWidget {
  const CartButton({super.key, required this.cart, required this.onPressed});
  final Cart cart; // made and disposed of by the page's State
  final VoidCallback onPressed;

  @override
  Widget build(BuildContext context) => ListenableBuilder(
        listenable: cart,
        builder: (context, icon) => IconButton(
          tooltip: 'Items in the cart: ${cart.items.length}',
          onPressed: cart.items.isEmpty ? null : onPressed,
          icon: Badge.count(count: cart.items.length, isLabelVisible: cart.items.isNotEmpty, child: icon),
        ),
        child: const Icon(Icons.shopping_cart_outlined),
      );
}

// snippet:check
// Without the splash, whose shader is an asset that an application brings along.
void main() {
  testWidgets('counts what is in the cart', (tester) async {
    final cart = Cart();
    addTearDown(cart.dispose);
    var pressed = 0;
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: Scaffold(body: CartButton(cart: cart, onPressed: () => pressed++))));
    await tester.tap(find.byType(IconButton));
    expect(pressed, 0, reason: 'an empty cart cannot be opened');
    final icon = tester.widget(find.byIcon(Icons.shopping_cart_outlined));

    cart.add('Tea');
    cart.add('Cup');
    await tester.pump();
    expect(find.text('2'), findsOneWidget);
    expect(find.byTooltip('Items in the cart: 2'), findsOneWidget);
    expect(tester.widget(find.byIcon(Icons.shopping_cart_outlined)), same(icon), reason: 'not built again');
    await tester.tap(find.byType(IconButton));
    expect(pressed, 1);
    expect(() => cart.items.add('Pot'), throwsUnsupportedError);
  });
}
