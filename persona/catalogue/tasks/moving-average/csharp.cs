// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/iterators Iterators
using System.Collections.Generic;
using System.Linq;

public static class Series
{
    /// <summary>The mean of the last values, as soon as there are enough of them.</summary>
    public static IEnumerable<double> MovingAverage(this IEnumerable<double> values, int size)
    {
        var window = new Queue<double>(size);
        double sum = 0;
        var steps = 0L;
        foreach (var value in values)
        {
            window.Enqueue(value);
            sum += value;
            if (window.Count > size)
                sum -= window.Dequeue();
            if (++steps % size == 0)
                sum = window.Sum(); // once a round, so that rounding errors do not add up
            if (window.Count == size)
                yield return sum / size;
        }
    }
}
// snippet:check
public static class Program
{
    public static void Main() => System.Console.WriteLine(string.Join(" ", new double[] { 1, 2, 6, 4, 8 }.MovingAverage(3)));
}
// snippet:prints 3 4 6
