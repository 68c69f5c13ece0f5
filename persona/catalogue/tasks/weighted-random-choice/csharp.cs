// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.random Random
using System;
using System.Collections.Generic;
using System.Linq;

public static class Loot
{
    /// <summary>
    /// Each item comes as often as its weight says, which is zero or more. A seeded Random makes it repeatable.
    /// </summary>
    public static T Pick<T>(IReadOnlyList<(T Item, int Weight)> table, Random random)
    {
        var ticket = random.Next(table.Sum(entry => entry.Weight));
        foreach (var entry in table)
        {
            if (ticket < entry.Weight)
                return entry.Item;
            ticket -= entry.Weight;
        }
        throw new ArgumentException("the table needs a weight above zero", nameof(table));
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var table = new (string Item, int Weight)[] { ("common", 90), ("rare", 9), ("legendary", 1) };
        var random = new Random(42);
        var drops = Enumerable.Range(0, 10000).GroupBy(i => Loot.Pick(table, random)).ToDictionary(g => g.Key, g => g.Count() / 100);
        Console.WriteLine($"{drops["common"] > 87} {drops["rare"] >= 8 && drops["rare"] <= 10} {drops["legendary"] <= 2}");
    }
}
