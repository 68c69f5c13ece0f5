// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.threading.cancellationtokensource.cancelafter CancellationTokenSource.CancelAfter
using System;
using System.Threading;
using System.Threading.Tasks;

public static class Deadline
{
    /// <exception cref="TimeoutException">It took too long; the operation was told to stop.</exception>
    public static async Task<T> Within<T>(
        TimeSpan limit, Func<CancellationToken, Task<T>> operation, CancellationToken outer = default)
    {
        using (var deadline = CancellationTokenSource.CreateLinkedTokenSource(outer))
        {
            deadline.CancelAfter(limit);
            try
            {
                return await operation(deadline.Token);
            }
            // The caller's own cancellation is not a timeout and goes on up.
            catch (OperationCanceledException) when (!outer.IsCancellationRequested)
            {
                throw new TimeoutException($"not done within {limit.TotalSeconds} s");
            }
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        Console.WriteLine(Deadline.Within(TimeSpan.FromSeconds(5), c => Task.FromResult("quick")).Result);
        try
        {
            Deadline.Within(TimeSpan.FromSeconds(0.05), async c => { await Task.Delay(5000, c); return 1; }).GetAwaiter().GetResult();
        }
        catch (TimeoutException e) { Console.WriteLine(e.Message); }
    }
}
// snippet:prints quick
// snippet:prints not done within 0.05 s
