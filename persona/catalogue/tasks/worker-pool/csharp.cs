// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.threading.semaphoreslim SemaphoreSlim
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

public static class Pool
{
    /// <summary>Runs the work for all items, at most so many at once; results keep the items' order.</summary>
    public static async Task<TResult[]> MapAsync<T, TResult>(
        IEnumerable<T> items, int atOnce, Func<T, Task<TResult>> work)
    {
        using (var free = new SemaphoreSlim(atOnce))
        {
            return await Task.WhenAll(items.Select(async item =>
            {
                await free.WaitAsync();
                try
                {
                    return await work(item);
                }
                finally
                {
                    free.Release();
                }
            }));
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        int running = 0, most = 0;
        var results = Pool.MapAsync(Enumerable.Range(1, 8), 3, async n =>
        {
            var now = Interlocked.Increment(ref running);
            lock (typeof(Program))
                most = Math.Max(most, now);
            await Task.Delay(20);
            Interlocked.Decrement(ref running);
            return n * n;
        }).Result;
        Console.WriteLine($"{string.Join(" ", results)} at most {most}");
    }
}
// snippet:prints 1 4 9 16 25 36 49 64 at most 3
