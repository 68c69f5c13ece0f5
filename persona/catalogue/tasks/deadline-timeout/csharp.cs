// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.threading.cancellationtokensource.cancelafter CancellationTokenSource.CancelAfter
// snippet:description Give an asynchronous operation a time limit with a `CancellationToken`, which it must look at. At the limit
// snippet:description it is told to stop, and a `TimeoutException` follows when it ends as cancelled; the caller's own cancellation
// snippet:description stays one.
// snippet:why Work that looks at its token ends soon after the limit.
// snippet:needs .NET 6
public static class Deadline
{
    /// <exception cref="TimeoutException">It took too long; the operation was told to stop.</exception>
    public static async Task<T> Within<T>(
        TimeSpan limit, Func<CancellationToken, Task<T>> operation, CancellationToken outer = default)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(outer);
        deadline.CancelAfter(limit);
        try
        {
            return await operation(deadline.Token);
        }
        // The caller's own cancellation is not a timeout and goes on up.
        catch (OperationCanceledException e) when (deadline.IsCancellationRequested && !outer.IsCancellationRequested)
        {
            throw new TimeoutException($"not done within {limit.TotalSeconds} s", e);
        }
    }
}
