// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.math.pow Math.Pow
// snippet:needs .NET 5
using System;

public static class Ease
{
    public static double Lerp(double from, double to, double t) => from * (1 - t) + to * t; // for t = 1 exactly `to`

    /// <summary>Slow at both ends; t is clamped to 0..1.</summary>
    public static double InOut(double t)
    {
        t = Math.Clamp(t, 0, 1);
        return t < 0.5 ? 4 * t * t * t : 1 - Math.Pow(2 - 2 * t, 3) / 2;
    }

    /// <summary>Where something that moves from one place to another is after some time.</summary>
    public static double At(double from, double to, TimeSpan elapsed, TimeSpan duration) =>
        duration <= TimeSpan.Zero ? to : Lerp(from, to, InOut(elapsed / duration));
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        for (var i = -1; i <= 5; i++)
            Console.Write($"{Ease.At(0, 100, TimeSpan.FromSeconds(i), TimeSpan.FromSeconds(4)):0.##} ");
        Console.WriteLine();
    }
}
