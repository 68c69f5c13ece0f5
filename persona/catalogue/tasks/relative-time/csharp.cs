// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.timespan TimeSpan
using System;

public static class RelativeTime
{
    // A year of 365 days: an anniversary is not 11 months ago.
    private static readonly (string Unit, double Seconds)[] Units =
    {
        ("year", 31536000), ("month", 2628000), ("day", 86400), ("hour", 3600), ("minute", 60),
    };

    public static string Ago(DateTimeOffset then, DateTimeOffset now)
    {
        var gap = (now - then).TotalSeconds;
        foreach (var size in Units)
        {
            var n = (int)(Math.Abs(gap) / size.Seconds);
            if (n == 0)
                continue;
            var words = $"{n} {size.Unit}{(n == 1 ? "" : "s")}";
            return gap > 0 ? $"{words} ago" : $"in {words}";
        }
        return "just now";
    }
}
// snippet:usage
public static class Program
{
    public static void Main()
    {
        var now = DateTimeOffset.FromUnixTimeSeconds(1000000000);
        foreach (var s in new[] { 20, 180, 97200, 34000000, -9000 })
            Console.WriteLine(RelativeTime.Ago(now.AddSeconds(-s), now));
    }
}
// snippet:prints just now
// snippet:prints 3 minutes ago
// snippet:prints 1 day ago
// snippet:prints 1 year ago
// snippet:prints in 2 hours
