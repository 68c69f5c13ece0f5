// snippet:doc https://pub.dev/documentation/collection/latest/collection/ComparatorExtension.html Comparators in package:collection
// snippet:into Put it into a file of a Dart package: dart pub add collection
// snippet:prints ada Ben Leo Mia
import 'package:collection/collection.dart';

typedef Contact = ({String name, String city, bool favourite});

// Favourites first, then by city, then by name; each line is one key.
final Comparator<Contact> byImportance = compareBy<Contact, num>((c) => c.favourite ? 0 : 1)
    .then(compareBy((c) => c.city.toLowerCase()))
    .then(compareBy((c) => c.name.toLowerCase()));

Comparator<T> compareBy<T, K extends Comparable<K>>(K Function(T) key) =>
    (a, b) => key(a).compareTo(key(b));

void main() {
  final contacts = <Contact>[
    (name: 'Mia', city: 'Ulm', favourite: false),
    (name: 'Ben', city: 'Bern', favourite: false),
    (name: 'ada', city: 'Ulm', favourite: true),
    (name: 'Leo', city: 'Ulm', favourite: false),
  ];
  // List.sort promises no stable order; mergeSort keeps equal contacts as they were.
  mergeSort(contacts, compare: byImportance);
  print(contacts.map((c) => c.name).join(' ')); // ada Ben Leo Mia
}
