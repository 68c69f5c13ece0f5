// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.average Enumerable.Average
using System;
using System.Collections.Generic;
using System.Linq;

public static class Line
{
    /// <summary>Least squares: y = slope * x + intercept, and R², the share it explains.</summary>
    public static (double Slope, double Intercept, double R2) Fit(IReadOnlyList<(double X, double Y)> points)
    {
        var mx = points.Average(p => p.X);
        var my = points.Average(p => p.Y);
        var sxx = points.Sum(p => (p.X - mx) * (p.X - mx));
        var sxy = points.Sum(p => (p.X - mx) * (p.Y - my));
        var syy = points.Sum(p => (p.Y - my) * (p.Y - my));
        if (points.All(p => p.X == points[0].X)) // not sxx == 0: the mean is rounded
            throw new ArgumentException("all x are the same: no line has a slope", nameof(points));
        var slope = sxy / sxx;
        return (slope, my - slope * mx, points.All(p => p.Y == points[0].Y) ? 1 : Math.Min(1, sxy * sxy / (sxx * syy)));
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var f = Line.Fit(new (double X, double Y)[] { (1.0, 2.1), (2.0, 3.9), (3.0, 6.2), (4.0, 7.8) });
        System.Console.WriteLine($"{f.Slope:F3} {f.Intercept:F3} {f.R2:F4}");
    }
}
