// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/operators/operator-overloading Operator overloading
using System;

public readonly struct Vec2
{
    public Vec2(double x, double y) => (X, Y) = (x, y);

    public double X { get; }
    public double Y { get; }
    public double Length => Math.Sqrt(Dot(this));

    public static Vec2 operator +(Vec2 a, Vec2 b) => new Vec2(a.X + b.X, a.Y + b.Y);
    public static Vec2 operator -(Vec2 a, Vec2 b) => new Vec2(a.X - b.X, a.Y - b.Y);
    public static Vec2 operator *(double k, Vec2 v) => new Vec2(k * v.X, k * v.Y);

    public double Dot(Vec2 v) => X * v.X + Y * v.Y;

    /// <summary>The same direction with length 1; the zero vector has none and stays.</summary>
    public Vec2 Normalised() => Length > 0 ? (1 / Length) * this : this;

    public override string ToString() => $"({X:0.##}, {Y:0.##})";
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var v = new Vec2(1, 2) + new Vec2(2, 2);
        Console.WriteLine($"{v} {v.Length} {v.Normalised()} {(v - v).Normalised()} {v.Dot(new Vec2(2, 0))}");
    }
}
// snippet:prints (3, 4) 5 (0.6, 0.8) (0, 0) 6
