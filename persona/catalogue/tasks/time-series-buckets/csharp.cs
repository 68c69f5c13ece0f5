// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.tolookup Enumerable.ToLookup
// snippet:needs .NET 7
public readonly record struct Reading(DateTimeOffset Time, double Value);

public readonly record struct Bucket(DateTimeOffset Start, int Count, double? Mean, double? Max);

public static class TimeSeries
{
    /// <summary>Equal intervals from the first reading to the last; gaps are shown as empty ones.</summary>
    public static IEnumerable<Bucket> Buckets(IEnumerable<Reading> readings, TimeSpan width)
    {
        var groups = readings.ToLookup(r => StartOf(r.Time, width), r => r.Value);
        if (groups.Count == 0)
            yield break;
        var last = groups.Max(g => g.Key);
        for (var start = groups.Min(g => g.Key); start <= last; start += width)
        {
            var values = groups[start].ToList();
            yield return values is []
                ? new Bucket(start, 0, null, null)
                : new Bucket(start, values.Count, values.Average(), values.Max());
        }
    }

    private static DateTimeOffset StartOf(DateTimeOffset time, TimeSpan width) =>
        new(time.UtcTicks - time.UtcTicks % width.Ticks, TimeSpan.Zero);
}
