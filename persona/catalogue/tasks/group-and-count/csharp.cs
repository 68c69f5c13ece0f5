// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/linq/standard-query-operators/grouping-data Grouping data with LINQ
using System.Collections.Generic;
using System.Linq;

public static class Sales
{
    public static IEnumerable<(string Region, int Orders, decimal Total)> PerRegion(
        IEnumerable<(string Region, decimal Amount)> orders) =>
        from order in orders
        group order.Amount by order.Region into amounts
        let total = amounts.Sum()
        orderby total descending
        select (amounts.Key, amounts.Count(), total);
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        foreach (var r in Sales.PerRegion(new (string Region, decimal Amount)[] { ("North", 10.5m), ("South", 40m), ("North", 20m) }))
            System.Console.WriteLine($"{r.Region} {r.Orders} {r.Total}");
    }
}
