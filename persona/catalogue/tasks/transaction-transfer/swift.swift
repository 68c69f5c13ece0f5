// snippet:doc https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/transactions Transactions in GRDB
// snippet:into Put it into a package or app that depends on GRDB.swift; the database has a table account.
import GRDB

enum TransferError: Error, Equatable {
    case invalidAmount
    case refused(account: Int64)
}

struct Accounts {
    let database: any DatabaseWriter

    /// Moves cents between two accounts: both updates happen, or neither does.
    func transfer(_ cents: Int, from: Int64, to: Int64) async throws {
        guard cents > 0 else { throw TransferError.invalidAmount }
        // write opens a transaction, and rolls it back if an error is thrown.
        try await database.write { db in
            try db.execute(
                sql: "UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?",
                arguments: [cents, from, cents]
            )
            guard db.changesCount == 1 else { throw TransferError.refused(account: from) }
            try db.execute(
                sql: "UPDATE account SET cents = cents + ? WHERE id = ? AND cents <= ? - ?",
                arguments: [cents, to, Int.max, cents] // SQLite would go on with a float
            )
            guard db.changesCount == 1 else { throw TransferError.refused(account: to) }
        }
    }
}
