// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.diagnostics.stopwatch Stopwatch
using System;

public sealed class TokenBucket
{
    private readonly object gate = new object();
    private const double PerSecond = 2, Burst = 2;
    private readonly Func<TimeSpan> clock; // a monotonic one: () => stopwatch.Elapsed
    private double tokens = Burst;
    private TimeSpan updated;

    public TokenBucket(Func<TimeSpan> clock) => updated = (this.clock = clock)();

    /// <summary>Whether the call may go ahead; if not, wait says for how long to stay away.</summary>
    public bool TryTake(out TimeSpan wait)
    {
        lock (gate)
        {
            var now = clock();
            tokens = Math.Min(Burst, tokens + (now - updated).TotalSeconds * PerSecond);
            updated = now;
            var taken = tokens >= 1;
            wait = taken ? TimeSpan.Zero : TimeSpan.FromSeconds((1 - tokens) / PerSecond);
            tokens -= taken ? 1 : 0;
            return taken;
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        double now = 0;
        var bucket = new TokenBucket(() => TimeSpan.FromSeconds(now));
        foreach (var at in new[] { 0, 0, 0, 0.25, 0.5, 4 })
        {
            now = at;
            Console.Write(bucket.TryTake(out var wait) ? "ok " : $"wait {wait.TotalSeconds} ");
        }
        Console.WriteLine();
    }
}
// snippet:prints ok ok wait 0.5 wait 0.25 ok ok
