// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.timespan TimeSpan
using System;

/// <summary>Spends real time in equal steps, so that the rules do not depend on the frame rate.</summary>
public sealed class FixedStep
{
    private readonly double step, longestFrame;
    private double saved;

    public FixedStep(double step = 1.0 / 60, double longestFrame = 0.25)
    {
        this.step = step;
        this.longestFrame = longestFrame;
    }

    /// <param name="draw">Gets how far the next step has come, 0 to 1, to draw in between.</param>
    public void Frame(double seconds, Action<double> update, Action<double> draw)
    {
        saved += Math.Min(seconds, longestFrame); // after a pause, do not try to catch up
        for (; saved >= step; saved -= step)
            update(step);
        draw(saved / step);
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var loop = new FixedStep(0.25, 1);
        foreach (var frame in new[] { 0.125, 0.25, 0.5, 9 })
        {
            var steps = 0;
            loop.Frame(frame, dt => steps++, rest => Console.Write($"{steps} steps, {rest} | "));
        }
        Console.WriteLine();
    }
}
// snippet:prints 0 steps, 0.5 | 1 steps, 0.5 | 2 steps, 0.5 | 4 steps, 0.5 |
