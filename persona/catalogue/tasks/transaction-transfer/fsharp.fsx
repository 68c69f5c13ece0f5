// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/data/sqlite/transactions Transactions in Microsoft.Data.Sqlite
open Microsoft.Data.Sqlite

type TransferError =
    | InvalidAmount
    | Refused of account: int64

let private update (transaction: SqliteTransaction) (sql: string) (account: int64) (cents: int64) =
    use command = new SqliteCommand(sql, transaction.Connection, transaction)
    command.Parameters.AddWithValue("$id", account) |> ignore
    command.Parameters.AddWithValue("$n", cents) |> ignore
    if command.ExecuteNonQuery() = 1 then Ok() else Error(Refused account)

/// Moves cents between two accounts: both updates happen, or neither does.
let transfer (db: SqliteConnection) from target cents =
    if cents <= 0L then
        Error InvalidAmount
    else
        use transaction = db.BeginTransaction() // disposed without a commit, it rolls back
        let change = update transaction

        change "UPDATE account SET cents = cents - $n WHERE id = $id AND cents >= $n" from cents
        |> Result.bind (fun () -> change "UPDATE account SET cents = cents + $n WHERE id = $id" target cents)
        |> Result.map (fun () -> transaction.Commit())
