// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.math.sqrt Math.Sqrt
using System;

/// <summary>Mean and deviation in one pass, numerically stable (Welford's method).</summary>
public sealed class RunningStatistics
{
    private double squaredDeviations;

    public long Count { get; private set; }
    public double Mean { get; private set; }
    public double Deviation => Count > 1 ? Math.Sqrt(squaredDeviations / (Count - 1)) : 0;

    public void Add(double value)
    {
        Count++;
        var delta = value - Mean;
        Mean += delta / Count;
        squaredDeviations += delta * (value - Mean);
    }

    public bool IsUnusual(double value) => Count > 1 && Math.Abs(value - Mean) > 3 * Deviation;
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var s = new RunningStatistics();
        foreach (var x in new double[] { 2, 4, 4, 4, 5, 5, 7, 9 })
            s.Add(x);
        Console.WriteLine($"{s.Count} {s.Mean} {s.Deviation:F3} {s.IsUnusual(12)} {s.IsUnusual(10)}");
    }
}
// snippet:prints 8 5 2.138 True False
