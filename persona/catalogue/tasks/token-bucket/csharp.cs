// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.timeprovider TimeProvider
// snippet:needs .NET 9
public sealed class TokenBucket(TimeProvider clock, double perSecond, double burst)
{
    private readonly TimeProvider clock = clock;
    private readonly double burst = burst;
    private readonly Lock gate = new();
    private double tokens = burst;
    private long updated = clock.GetTimestamp(); // monotonic

    /// <summary>Whether the call may go ahead; if not, wait says for how long to stay away.</summary>
    public bool TryTake(out TimeSpan wait)
    {
        lock (gate)
        {
            var now = clock.GetTimestamp();
            tokens = Math.Min(burst, tokens + clock.GetElapsedTime(updated, now).TotalSeconds * perSecond);
            updated = now;
            var taken = tokens >= 1;
            wait = taken ? TimeSpan.Zero : TimeSpan.FromSeconds((1 - tokens) / perSecond);
            tokens -= taken ? 1 : 0;
            return taken;
        }
    }
}
