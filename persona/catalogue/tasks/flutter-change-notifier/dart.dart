// snippet:doc https://docs.flutter.dev/data-and-backend/state-mgmt/simple Simple state management
// snippet:about Flutter
import 'dart:collection';

import 'package:flutter/material.dart';

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
