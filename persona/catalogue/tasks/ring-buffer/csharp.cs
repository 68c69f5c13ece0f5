// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.ireadonlycollection-1 IReadOnlyCollection<T>
using System;
using System.Collections;
using System.Collections.Generic;

/// <summary>Keeps the last values in fixed memory and forgets the oldest.</summary>
public sealed class RingBuffer<T> : IReadOnlyCollection<T>
{
    private readonly T[] items;
    private int next;

    public RingBuffer(int capacity)
    {
        if (capacity < 1)
            throw new ArgumentOutOfRangeException(nameof(capacity));
        items = new T[capacity];
    }

    public int Count { get; private set; }

    public void Add(T item)
    {
        items[next] = item;
        next = (next + 1) % items.Length;
        if (Count < items.Length)
            Count++;
    }

    public IEnumerator<T> GetEnumerator()
    {
        for (var i = 0; i < Count; i++)
            yield return items[(next - Count + i + items.Length) % items.Length];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var last = new RingBuffer<int>(3);
        foreach (var i in new[] { 1, 2, 3, 4, 5 })
        {
            last.Add(i);
            System.Console.Write(string.Join(",", last) + " ");
        }
        System.Console.WriteLine();
    }
}
// snippet:prints 1 1,2 1,2,3 2,3,4 3,4,5
