// snippet:doc https://learn.microsoft.com/en-us/azure/architecture/patterns/circuit-breaker Circuit breaker pattern
// snippet:needs .NET 9
/// <summary>Each exception counts as a failure, that of a cancelled call too.</summary>
public sealed class CircuitBreaker(TimeProvider clock, int threshold, TimeSpan pause)
{
    private readonly Lock gate = new();
    private int failures;
    private DateTimeOffset openUntil;

    public async Task<T> CallAsync<T>(Func<Task<T>> operation)
    {
        bool trial, failed = true;
        lock (gate)
        {
            if (clock.GetUtcNow() < openUntil)
                throw new InvalidOperationException("not tried: it failed too often a moment ago");
            trial = failures >= threshold;
            if (trial) openUntil = clock.GetUtcNow() + pause; // for the others
        }
        try
        {
            var result = await operation();
            failed = false;
            return result;
        }
        finally
        {
            lock (gate)
            {
                var late = !trial && failures >= threshold; // it began before they failed: says nothing about now
                if (!late) failures = failed ? failures + 1 : 0;
                if (!late) openUntil = failures >= threshold ? clock.GetUtcNow() + pause : default;
            }
        }
    }
}
