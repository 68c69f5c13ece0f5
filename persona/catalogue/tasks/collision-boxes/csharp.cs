// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/record Records
// snippet:needs .NET 6
public readonly record struct Box(double X, double Y, double Width, double Height)
{
    public bool Overlaps(Box other) =>
        X < other.X + other.Width && other.X < X + Width && Y < other.Y + other.Height && other.Y < Y + Height;

    /// <summary>The shortest way out of the other box, along one axis.</summary>
    public (double X, double Y) PushOutOf(Box other)
    {
        if (!Overlaps(other))
            return (0, 0);
        var x = Nearest(other.X - (X + Width), other.X + other.Width - X);
        var y = Nearest(other.Y - (Y + Height), other.Y + other.Height - Y);
        return Math.Abs(x) < Math.Abs(y) ? (x, 0) : (0, y);

        static double Nearest(double back, double forth) => -back < forth ? back : forth;
    }
}
