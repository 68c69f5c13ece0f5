// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.order Enumerable.Order
// snippet:needs .NET 8
public static class Latency
{
    /// <summary>The smallest value that at least the given percentage of all does not exceed (nearest rank).</summary>
    public static double Percentile(IEnumerable<double> values, decimal percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        double[] sorted = [.. values.Order()];
        // A decimal is exact: as doubles, 99.9 * 41000 / 100 is above 40959.
        return sorted is []
            ? throw new ArgumentException("no values", nameof(values))
            : sorted[Math.Max(0, (int)Math.Ceiling(percent * sorted.Length / 100) - 1)];
    }
}
