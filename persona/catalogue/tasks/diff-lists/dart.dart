// snippet:doc https://dart.dev/language/records Records
// snippet:prints 1 new, 1 gone, 1 changed
// snippet:prints Tea Bread Milk Oat milk, 0 0 0
typedef Difference<T> = ({List<T> added, List<T> removed, List<(T before, T after)> changed});

/// Compares two lists of records that [key] identifies; [T] needs an `==` by value.
Difference<T> difference<T, K>(Iterable<T> before, Iterable<T> after, K Function(T) key) {
  final old = {for (final item in before) key(item): item};
  final added = <T>[];
  final changed = <(T, T)>[];
  for (final item in after) {
    final id = key(item);
    if (!old.containsKey(id)) {
      added.add(item);
    } else if (old.remove(id) case final T was when was != item) {
      changed.add((was, item));
    }
  }
  return (added: added, removed: [...old.values], changed: changed);
}

void main() {
  final local = [(id: 1, title: 'Milk'), (id: 2, title: 'Bread')];
  final server = [(id: 1, title: 'Oat milk'), (id: 3, title: 'Tea')];
  final sync = difference(local, server, (item) => item.id);
  print('${sync.added.length} new, ${sync.removed.length} gone, ${sync.changed.length} changed');
  // snippet:check
  final same = difference(server, server.reversed, (item) => item.id);
  print('${sync.added.single.title} ${sync.removed.single.title} ${sync.changed.single.$1.title} ${sync.changed.single.$2.title}, '
      '${same.added.length} ${same.removed.length} ${same.changed.length}');
  // snippet:end
}
