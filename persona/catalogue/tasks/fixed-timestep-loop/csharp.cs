// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/programming-guide/classes-and-structs/instance-constructors#primary-constructors Primary constructors
// snippet:needs .NET 8
/// <summary>Spends real time in equal steps, so that the rules do not depend on the frame rate.</summary>
public sealed class FixedStep(double step = 1.0 / 60, double longestFrame = 0.25)
{
    private double saved;

    /// <param name="seconds">Time since the last frame.</param>
    /// <param name="draw">Gets how far the next step has come, 0 to 1, to draw in between.</param>
    public void Frame(double seconds, Action<double> update, Action<double> draw)
    {
        saved += Math.Min(seconds, longestFrame); // after a pause, do not try to catch up
        for (; saved >= step; saved -= step)
            update(step);
        draw(saved / step);
    }
}
