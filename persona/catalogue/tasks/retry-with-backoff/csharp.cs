// snippet:doc https://learn.microsoft.com/en-us/dotnet/architecture/microservices/implement-resilient-applications/implement-retries-exponential-backoff Retries with exponential backoff
using System;
using System.Threading;
using System.Threading.Tasks;

public static class Retry
{
    private static readonly Random Random = new Random();

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
                var ceiling = Math.Min(30, baseSeconds * Math.Pow(2, attempt - 1));
                double share;
                lock (Random)
                    share = Random.NextDouble();
                await Task.Delay(TimeSpan.FromSeconds(share * ceiling), cancel);
            }
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var n = 0;
        Func<CancellationToken, Task<string>> flaky = c => ++n < 3 ? throw new TimeoutException() : Task.FromResult($"done after {n}");
        Console.WriteLine(Retry.WithBackoff(flaky, e => e is TimeoutException, 5, 0.001).Result);
        n = 0;
        Console.WriteLine(Retry.WithBackoff(flaky, e => false).ContinueWith(t => t.Exception.InnerException.GetType().Name).Result);
    }
}
// snippet:prints done after 3
// snippet:prints TimeoutException
