// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/linq/standard-query-operators/sorting-data Sorting data with LINQ
using System;
using System.Collections.Generic;
using System.Linq;

public sealed class Player
{
    public string Name { get; set; }
    public int Score { get; set; }
}

public static class Ranking
{
    // Highest score first, equal scores by name. OrderBy is stable and leaves the source as it is.
    public static IEnumerable<Player> Ranked(IEnumerable<Player> players) =>
        players.OrderByDescending(p => p.Score).ThenBy(p => p.Name, StringComparer.Ordinal);
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var players = new[] { new Player { Name = "Mei", Score = 70 }, new Player { Name = "Zoe", Score = 90 }, new Player { Name = "Ada", Score = 90 } };
        Console.WriteLine(string.Join(" ", Ranking.Ranked(players).Select(p => $"{p.Name}:{p.Score}")));
    }
}
// snippet:prints Ada:90 Zoe:90 Mei:70
