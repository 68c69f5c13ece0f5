// snippet:doc https://pub.dev/packages/sqflite package:sqflite
// snippet:into Put it into a Flutter app whose database has a table account: flutter pub add sqflite
// snippet:needs Android, iOS or macOS
import 'package:sqflite/sqflite.dart';

class TransferFailed implements Exception {
  const TransferFailed(this.account);
  final int account;

  @override
  String toString() => 'account $account is not there, or its balance forbids it';
}

/// Moves [cents] between two accounts: both updates happen, or neither does.
Future<void> transfer(Database db, {required int from, required int to, required int cents}) {
  if (cents <= 0) throw ArgumentError.value(cents, 'cents', 'must be positive');
  return db.transaction((txn) async {
    // Inside, only txn may be used: db would wait for the transaction for ever.
    final debited = await txn.rawUpdate(
      'UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?',
      [cents, from, cents],
    );
    if (debited != 1) throw TransferFailed(from); // an exception rolls back
    final credited = await txn.rawUpdate(
      'UPDATE account SET cents = cents + ? WHERE id = ? AND cents <= 9223372036854775807 - ?',
      [cents, to, cents],
    ); // beyond 64 bits SQLite would go on with a float
    if (credited != 1) throw TransferFailed(to);
  });
}
