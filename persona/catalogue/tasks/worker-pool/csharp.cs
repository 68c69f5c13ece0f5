// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.threading.tasks.parallel.foreachasync Parallel.ForEachAsync
// snippet:needs .NET 9
public static class Pool
{
    /// <summary>Runs the work for all items, at most so many at once; results keep the items' order.</summary>
    public static async Task<TResult[]> MapAsync<T, TResult>(
        IReadOnlyList<T> items, int atOnce, Func<T, CancellationToken, Task<TResult>> work,
        CancellationToken cancel = default)
    {
        var results = new TResult[items.Count];
        var options = new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = cancel };
        // The first failure cancels the token that the others were given.
        await Parallel.ForEachAsync(items.Index(), options, async (entry, stop) =>
            results[entry.Index] = await work(entry.Item, stop));
        return results;
    }
}
