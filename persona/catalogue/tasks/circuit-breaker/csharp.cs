// snippet:doc https://learn.microsoft.com/en-us/azure/architecture/patterns/circuit-breaker Circuit breaker pattern
// snippet:needs .NET 9
public sealed class CircuitBreaker(TimeProvider clock, int threshold, TimeSpan pause)
{
    private readonly Lock gate = new();
    private int failures;
    private DateTimeOffset openUntil;

    public async Task<T> CallAsync<T>(Func<Task<T>> operation)
    {
        lock (gate)
        {
            if (clock.GetUtcNow() < openUntil)
                throw new InvalidOperationException("not tried: it failed too often a moment ago");
            if (failures >= threshold)
                openUntil = clock.GetUtcNow() + pause; // this call is the one trial
        }
        try
        {
            var result = await operation();
            lock (gate) (failures, openUntil) = (0, default);
            return result;
        }
        catch
        {
            lock (gate)
                if (++failures >= threshold)
                    openUntil = clock.GetUtcNow() + pause;
            throw;
        }
    }
}
