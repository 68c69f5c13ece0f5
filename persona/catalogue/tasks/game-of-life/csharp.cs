// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.hashset-1 HashSet<T>
using System.Collections.Generic;
using System.Linq;

public static class Life
{
    public static HashSet<(int X, int Y)> Next(HashSet<(int X, int Y)> alive)
    {
        var counts = alive.SelectMany(Neighbours).GroupBy(cell => cell);
        var next = counts.Where(c => c.Count() == 3 || c.Count() == 2 && alive.Contains(c.Key));
        return new HashSet<(int X, int Y)>(next.Select(c => c.Key));
    }

    private static IEnumerable<(int X, int Y)> Neighbours((int X, int Y) cell) =>
        from dx in new[] { -1, 0, 1 }
        from dy in new[] { -1, 0, 1 }
        where dx != 0 || dy != 0
        select (cell.X + dx, cell.Y + dy);
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var cells = new HashSet<(int X, int Y)> { (1, 0), (1, 1), (1, 2) };
        for (var i = 0; i < 2; i++)
        {
            cells = Life.Next(cells);
            System.Console.WriteLine(string.Join(" ", cells.OrderBy(c => c.X).ThenBy(c => c.Y)));
        }
    }
}
