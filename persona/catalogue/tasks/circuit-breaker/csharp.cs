// snippet:doc https://learn.microsoft.com/en-us/azure/architecture/patterns/circuit-breaker Circuit breaker pattern
using System;

public sealed class CircuitBreaker
{
    private const int Threshold = 2;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);
    private readonly Func<DateTimeOffset> clock;
    private int failures;
    private DateTimeOffset openUntil;

    public CircuitBreaker(Func<DateTimeOffset> clock) => this.clock = clock;

    public T Call<T>(Func<T> operation)
    {
        if (clock() < openUntil)
            throw new InvalidOperationException("not tried: it failed too often a moment ago");
        try
        {
            var result = operation(); // after the pause, this is the one trial
            failures = 0;
            return result;
        }
        catch when (++failures >= Threshold)
        {
            openUntil = clock() + Pause;
            throw;
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var now = 0;
        var breaker = new CircuitBreaker(() => DateTimeOffset.FromUnixTimeSeconds(now));
        foreach (var at in new[] { 0, 1, 2, 31 })
        {
            now = at;
            var well = at > 1;
            try { Console.WriteLine(breaker.Call(() => well ? "ok" : throw new TimeoutException("down"))); }
            catch (Exception e) { Console.WriteLine(e.Message); }
        }
    }
}
// snippet:prints down
// snippet:prints down
// snippet:prints not tried: it failed too often a moment ago
// snippet:prints ok
