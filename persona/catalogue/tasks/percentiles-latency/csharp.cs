// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.order Enumerable.Order
// snippet:needs .NET 8
public static class Latency
{
    /// <summary>The value below or at which the given share (0 to 1) of all values lies: nearest rank.</summary>
    public static double Percentile(IEnumerable<double> values, double share)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(share);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(share, 1);
        double[] sorted = [.. values.Order()];
        return sorted is []
            ? throw new ArgumentException("no values", nameof(values))
            : sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Length) - 1)];
    }
}
