// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.array.sort Array.Sort
using System;
using System.Collections.Generic;
using System.Linq;

public static class Latency
{
    /// <summary>The value below which the given share of all values lies (nearest rank).</summary>
    public static double Percentile(IEnumerable<double> values, double share)
    {
        var sorted = values.ToArray();
        if (sorted.Length == 0)
            throw new ArgumentException("no values", nameof(values));
        Array.Sort(sorted);
        return sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1)];
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var ms = new double[] { 12, 15, 11, 14, 13, 12, 240, 13, 12, 16 };
        Console.WriteLine($"mean {ms.Average()} p50 {Latency.Percentile(ms, 0.5)} p95 {Latency.Percentile(ms, 0.95)}");
    }
}
// snippet:prints mean 35.8 p50 13 p95 240
