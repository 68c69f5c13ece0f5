// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/linq/standard-query-operators/join-operations Join operations in LINQ
using System.Collections.Generic;
using System.Linq;

public static class Report
{
    // A left join: customers without an order are in the report too, with none.
    public static IEnumerable<(string Customer, int Orders, decimal Total)> PerCustomer(
        IEnumerable<(int Id, string Name)> customers, IEnumerable<(int CustomerId, decimal Amount)> orders) =>
        from customer in customers
        join order in orders on customer.Id equals order.CustomerId into theirs
        select (customer.Name, theirs.Count(), theirs.Sum(o => o.Amount));
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        foreach (var r in Report.PerCustomer(new (int Id, string Name)[] { (1, "Ada"), (2, "Bob") }, new (int CustomerId, decimal Amount)[] { (1, 5m), (1, 7.5m), (9, 1m) }))
            System.Console.WriteLine($"{r.Customer} {r.Orders} {r.Total}");
    }
}
