// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/record Records
// snippet:needs .NET 7
public readonly record struct Vec2(double X, double Y)
{
    public double Length => double.Hypot(X, Y); // no overflow on the way

    public static Vec2 operator +(Vec2 a, Vec2 b) => new(a.X + b.X, a.Y + b.Y);
    public static Vec2 operator -(Vec2 a, Vec2 b) => new(a.X - b.X, a.Y - b.Y);
    public static Vec2 operator *(double k, Vec2 v) => new(k * v.X, k * v.Y);

    public double Dot(Vec2 v) => X * v.X + Y * v.Y;

    /// <summary>The same direction with length 1; the zero vector has none and stays.</summary>
    public Vec2 Normalised() => Length > 0 ? new Vec2(X / Length, Y / Length) : this;
}
