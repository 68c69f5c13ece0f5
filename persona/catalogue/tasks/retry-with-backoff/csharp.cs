// snippet:doc https://learn.microsoft.com/en-us/dotnet/architecture/microservices/implement-resilient-applications/implement-retries-exponential-backoff Retries with exponential backoff
// snippet:needs .NET 6
public static class Retry
{
    public static async Task<T> WithBackoff<T>(
        Func<CancellationToken, Task<T>> call, Func<Exception, bool> isTransient,
        int attempts = 5, double baseSeconds = 0.2, CancellationToken cancel = default)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await call(cancel);
            }
            catch (Exception error) when (attempt < attempts && isTransient(error))
            {
                // Full jitter: clients that failed together do not come back together.
                var longest = Math.Min(30, baseSeconds * Math.Pow(2, attempt - 1));
                await Task.Delay(TimeSpan.FromSeconds(Random.Shared.NextDouble() * longest), cancel);
            }
        }
    }
}
