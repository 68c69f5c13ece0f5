// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/linq/standard-query-operators/sorting-data Sorting data with LINQ
// snippet:needs .NET 6
public sealed record Player(string Name, int Score);

public static class Ranking
{
    /// <summary>
    /// Highest score first, equal scores by name. OrderBy is stable and leaves the source as it is.
    /// </summary>
    public static IEnumerable<Player> Ranked(IEnumerable<Player> players) =>
        players.OrderByDescending(p => p.Score).ThenBy(p => p.Name, StringComparer.CurrentCulture);
}
