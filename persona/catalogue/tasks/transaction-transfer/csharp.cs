// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/data/sqlite/transactions Transactions in Microsoft.Data.Sqlite
// snippet:needs .NET 8
using Microsoft.Data.Sqlite;

public sealed class Accounts(SqliteConnection db)
{
    /// <exception cref="InvalidOperationException">Nothing was moved.</exception>
    public void Transfer(long from, long to, long cents)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(cents);
        using var transaction = db.BeginTransaction(); // disposed without Commit, it rolls back
        var debited = Execute(
            "UPDATE account SET cents = cents - $n WHERE id = $id AND cents >= $n", from, cents);
        var credited = Execute(
            "UPDATE account SET cents = cents + $n WHERE id = $id", to, cents);
        if (debited != 1 || credited != 1)
            throw new InvalidOperationException("no such account, or not enough money on it");
        transaction.Commit();

        int Execute(string sql, long id, long n)
        {
            using var command = new SqliteCommand(sql, db, transaction);
            command.Parameters.AddWithValue("$id", id);
            command.Parameters.AddWithValue("$n", n);
            return command.ExecuteNonQuery();
        }
    }
}
