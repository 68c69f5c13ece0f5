// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/asynchronous-programming/generate-consume-asynchronous-stream Asynchronous streams
// snippet:needs .NET 8
using System.Runtime.CompilerServices;

public static class Batches
{
    /// <summary>Groups of the given size; the last one may be smaller, and none is empty.</summary>
    public static async IAsyncEnumerable<IReadOnlyList<T>> InChunksOf<T>(
        this IAsyncEnumerable<T> source, int size,
        [EnumeratorCancellation] CancellationToken cancel = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(size);
        var chunk = new List<T>(size);
        await foreach (var item in source.WithCancellation(cancel))
        {
            chunk.Add(item);
            if (chunk.Count < size)
                continue;
            yield return chunk;
            chunk = new List<T>(size);
        }
        if (chunk.Count > 0)
            yield return chunk;
    }
}
