// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/struct Structure types
using System;

public readonly struct Box
{
    public Box(double x, double y, double width, double height) => (X, Y, Width, Height) = (x, y, width, height);

    public double X { get; }
    public double Y { get; }
    public double Width { get; }
    public double Height { get; }

    public bool Overlaps(Box other) =>
        X < other.X + other.Width && other.X < X + Width && Y < other.Y + other.Height && other.Y < Y + Height;

    /// <summary>The shortest way out of the other box, along one axis.</summary>
    public (double X, double Y) PushOutOf(Box other)
    {
        if (!Overlaps(other))
            return (0, 0);
        var left = other.X - (X + Width);
        var right = other.X + other.Width - X;
        var up = other.Y - (Y + Height);
        var down = other.Y + other.Height - Y;
        var x = Math.Abs(left) < Math.Abs(right) ? left : right;
        var y = Math.Abs(up) < Math.Abs(down) ? up : down;
        return Math.Abs(x) < Math.Abs(y) ? (x, 0.0) : (0.0, y);
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var wall = new Box(10, 0, 10, 10);
        foreach (var b in new[] { new Box(8, 2, 4, 4), new Box(0, 0, 10, 10), new Box(12, 9, 2, 2) })
            Console.WriteLine($"{b.Overlaps(wall)} {b.PushOutOf(wall)}");
    }
}
// snippet:prints True (-2, 0)
// snippet:prints False (0, 0)
// snippet:prints True (0, 1)
