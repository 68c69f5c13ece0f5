// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/data/sqlite/parameters Parameters in Microsoft.Data.Sqlite
using Microsoft.Data.Sqlite;

public sealed record Book(long Id, string Title);

public sealed class Library(string connectionString)
{
    public async Task<List<Book>> SearchAsync(string text, int limit = 20)
    {
        await using var db = new SqliteConnection(connectionString);
        await db.OpenAsync();
        await using var query = db.CreateCommand();
        query.CommandText = """
            SELECT id, title FROM book
            WHERE instr(lower(title), lower($text)) > 0
            ORDER BY title LIMIT $limit
            """;
        // The values never become part of the SQL.
        query.Parameters.AddWithValue("$text", text);
        query.Parameters.AddWithValue("$limit", limit);

        var books = new List<Book>();
        await using var rows = await query.ExecuteReaderAsync();
        while (await rows.ReadAsync())
            books.Add(new Book(rows.GetInt64(0), rows.GetString(1)));
        return books;
    }
}
