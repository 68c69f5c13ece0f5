// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.linkedlist-1 LinkedList<T>
// snippet:needs .NET 8
using System;
using System.Collections.Generic;

/// <summary>Keeps the entries used last. Not for several threads at once.</summary>
public sealed class LruCache<TKey, TValue>(int capacity) where TKey : notnull
{
    private readonly LinkedList<(TKey Key, TValue Value)> order = new();
    private readonly Dictionary<TKey, LinkedListNode<(TKey Key, TValue Value)>> nodes = new();

    public TValue GetOrAdd(TKey key, Func<TKey, TValue> load)
    {
        if (nodes.TryGetValue(key, out var node))
            order.Remove(node);
        else
            nodes[key] = node = new LinkedListNode<(TKey Key, TValue Value)>((key, load(key)));
        order.AddFirst(node); // the most recently used
        if (nodes.Count > capacity)
        {
            nodes.Remove(order.Last!.Value.Key);
            order.RemoveLast();
        }
        return node.Value.Value;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var cache = new LruCache<string, int>(2);
        foreach (var k in "a b a c b c".Split(' '))
            cache.GetOrAdd(k, key => { Console.Write($"load {key} "); return 1; });
        Console.WriteLine();
    }
}
